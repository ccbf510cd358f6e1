import { bare, conjuncts, type Fields, type Node, nameOf, nodes, sides } from './parse-tree.ts'

/** Tables that are distributed by `campaign_id`, and those of the coordinator that queries of them may join; all others they may not. */
export type Distribution = { distributed: ReadonlySet<string>; joined: ReadonlySet<string> }

/**
 * Returns what Citus would refuse in a statement, according to its documentation and the expected output of its regression tests
 * (versions 12 and 13): SQL support, subquery pushdown, modifications, multi-shard locks. Stricter than Citus where that is simpler.
 * A query for one campaign is routed to the node of that campaign, which runs anything that PostgreSQL runs.
 */
export function findViolations(statement: Node, distribution: Distribution): string[] {
  const checker = new StatementChecker(distribution)
  return [...new Set([...checker.statement(statement, new Set(), []), ...checker.emptyRows(statement)])]
}

type From = { alias: string; kind: 'distributed' | 'joined' | 'local' | 'cte' | 'function' | 'subquery' }
/** The tables of one query level, and the conditions that hold between them. */
type Level = { from: From[]; conditions: Node[]; isRouted: boolean }
/** Names of the common table expressions in scope. */
type CteNames = ReadonlySet<string>

const column = 'campaign_id'
const volatile = ['random', 'clock_timestamp', 'nextval', 'setval', 'gen_random_uuid', 'timeofday']
const unstable = [...volatile, 'now', 'current_setting', 'txid_current']
/** Stable functions that look immutable; so are + and - of a time and an interval. */
const stable = [
  'concat',
  'concat_ws',
  'format',
  'to_char',
  'array_to_string',
  'to_json',
  'to_jsonb',
  'jsonb_build_object',
  'date_trunc',
]

class StatementChecker {
  readonly #distribution: Distribution
  constructor(distribution: Distribution) {
    this.#distribution = distribution
  }

  statement(node: Node, cteNames: CteNames, outer: Level[]): string[] {
    if (node.SelectStmt) return this.select(node.SelectStmt, cteNames, outer)
    if (node.InsertStmt) return this.insert(node.InsertStmt, cteNames)
    if (node.UpdateStmt) return this.change(node.UpdateStmt, node.UpdateStmt.fromClause, cteNames)
    if (node.DeleteStmt) return this.change(node.DeleteStmt, node.DeleteStmt.usingClause, cteNames)
    if (node.DeclareCursorStmt) return this.statement(node.DeclareCursorStmt.query, cteNames, outer)
    return [] // utility commands run in migrations and in the script only
  }

  select(query: Fields, known: CteNames, outer: Level[]): string[] {
    const { cteNames, violations } = this.#commonTables(query, known)
    if (query.larg && query.rarg)
      return [...violations, ...this.select(query.larg, cteNames, outer), ...this.select(query.rarg, cteNames, outer)]
    const level = this.#level(query.fromClause ?? [], query.whereClause, cteNames, outer)
    const names = (kind: From['kind']) => level.from.some((one) => one.kind === kind)
    if (names('distributed') && names('joined') && locksJoined(query.lockingClause, level))
      violations.push('locks rows of a joined table')
    if (names('distributed') && hasOuterJoin(query.fromClause) && level.conditions.some(isConstantFalse))
      violations.push('false beside an outer join')
    const isDistributed = names('distributed') && !level.isRouted
    if (isDistributed) {
      violations.push(...this.#colocated(level, outer))
      if (query.lockingClause) violations.push('locks rows on several nodes')
      if (query.groupClause && nodes(query.groupClause, 'GroupingSet').length > 0) violations.push('grouping sets')
      if (nodes(query.fromClause, 'RangeTableSample', ['SelectStmt']).length > 0) violations.push('a sample')
      violations.push(...this.#anonymousRows(query, level))
    }
    return [
      ...violations,
      ...this.#joins(query.fromClause ?? [], cteNames),
      ...this.#subqueries(query, cteNames, [...outer, level]),
    ]
  }

  insert(
    { relation, cols, selectStmt, onConflictClause, withClause, returningClause }: Fields,
    known: CteNames,
  ): string[] {
    const { cteNames, violations } = this.#commonTables({ withClause }, known)
    violations.push(...(selectStmt ? this.statement(selectStmt, cteNames, []) : []))
    if (!this.#isDistributed(relation)) return violations
    if (!cols?.some((target: Node) => target.ResTarget?.name === column)) violations.push(`an insert without ${column}`)
    if (nodes(selectStmt?.SelectStmt?.valuesLists, 'SubLink').length > 0) violations.push('a subquery among the values')
    const arbiter = nodes(onConflictClause?.infer?.indexElems, 'IndexElem').map(({ name }) => name)
    if (onConflictClause && !arbiter.includes(column)) violations.push(`on conflict without ${column}`)
    if (calls(onConflictClause?.targetList, unstable)) violations.push('on conflict sets a non-immutable value')
    if (calls(returningClause, unstable)) violations.push('returns a non-immutable value')
    return violations
  }

  /** Checks an update or a delete. */
  change(query: Fields, more: Node[] | undefined, known: CteNames): string[] {
    const { cteNames, violations } = this.#commonTables(query, known)
    const level = this.#level([{ RangeVar: query.relation }, ...(more ?? [])], query.whereClause, cteNames, [])
    const target = level.from[0]!
    if (target.kind === 'distributed') {
      if (query.targetList?.some((set: Node) => set.ResTarget?.name === column)) violations.push(`overwrites ${column}`)
      if (calls([query.targetList, query.whereClause], volatile)) violations.push('a change by a volatile function')
      if (calls(query.returningClause, unstable)) violations.push('returns a non-immutable value')
      const written = [query.targetList, query.whereClause]
      if (isStableOfColumn(written)) violations.push('a change by a stable function of a column')
      if (['CaseExpr', 'CoalesceExpr'].some((kind) => calls(nodes(written, kind), [...stable, ...unstable])))
        violations.push('a stable function in a case or coalesce of a change')
      if (!level.isRouted) {
        violations.push(...this.#colocated(level, []))
        if (level.from.some(({ kind }) => kind === 'function')) violations.push('a change from a function')
      }
    } else if (level.from.some(({ kind }) => kind === 'distributed'))
      violations.push('a change of another table, joined to distributed tables')
    return [...violations, ...this.#joins(more ?? [], cteNames), ...this.#subqueries(query, cteNames, [level])]
  }

  /** Each common table expression runs on its own; its result is then sent to every node. */
  #commonTables({ withClause }: Fields, known: CteNames): { cteNames: CteNames; violations: string[] } {
    const cteNames = new Set(known)
    const violations: string[] = []
    for (const { CommonTableExpr: one } of withClause?.ctes ?? []) {
      const own = this.statement(one.ctequery, cteNames, [])
      violations.push(...own)
      if (withClause.recursive && this.#namesDistributed(one.ctequery)) violations.push('a recursive query')
      cteNames.add(one.ctename)
    }
    return { cteNames, violations }
  }

  #level(fromClause: Node[], where: Node | undefined, cteNames: CteNames, outer: Level[]): Level {
    const from: From[] = []
    const conditions = conjuncts(where)
    const walk = (item: Node) => {
      if (item.JoinExpr) {
        walk(item.JoinExpr.larg)
        walk(item.JoinExpr.rarg)
        conditions.push(...conjuncts(item.JoinExpr.quals))
      } else if (item.RangeVar) from.push(this.#table(item.RangeVar, cteNames))
      else if (item.RangeSubselect) from.push({ alias: item.RangeSubselect.alias?.aliasname ?? '', kind: 'subquery' })
      else if (item.RangeFunction) from.push({ alias: item.RangeFunction.alias?.aliasname ?? '', kind: 'function' })
    }
    fromClause.forEach(walk)
    const level = { from, conditions, isRouted: false }
    const distributed = from.filter(({ kind }) => kind === 'distributed').map(({ alias }) => alias)
    level.isRouted = distributed.length > 0 && distributed.every((alias) => this.#reaches(alias, level, outer, isGiven))
    return level
  }

  #table({ relname, alias }: Fields, cteNames: CteNames): From {
    const name = alias?.aliasname ?? relname
    if (cteNames.has(relname)) return { alias: name, kind: 'cte' }
    if (this.#distribution.distributed.has(relname)) return { alias: name, kind: 'distributed' }
    return { alias: name, kind: this.#distribution.joined.has(relname) ? 'joined' : 'local' }
  }
  #isDistributed = ({ relname }: Fields) => this.#distribution.distributed.has(relname)
  #namesDistributed = (tree: unknown) => nodes(tree, 'RangeVar').some(this.#isDistributed)
  #namesLocal = (tree: unknown, cteNames: CteNames) =>
    nodes(tree, 'RangeVar').some((table) => this.#table(table, cteNames).kind === 'local')

  /** Distributed tables of a level are joined by their campaign, also with those of outer levels; no local table is among them. */
  #colocated(level: Level, outer: Level[]): string[] {
    const distributed = level.from.filter(({ kind }) => kind === 'distributed').map(({ alias }) => alias)
    const violations = level.from.some(({ kind }) => kind === 'local') ? ['joined to a local table'] : []
    const [first, ...others] = distributed
    if (others.some((alias) => !this.#reaches(alias, level, outer, (side) => isColumnOf(side, first!, level))))
      violations.push(`joined without ${column}`)
    return violations
  }

  /** Returns whether equations lead from a table's campaign to a side that passes the test. */
  #reaches(
    alias: string,
    level: Level,
    outer: Level[],
    test: (side: Node) => boolean,
    seen = new Set<string>(),
  ): boolean {
    if (seen.has(alias)) return false
    seen.add(alias)
    return level.conditions.some((condition) => {
      const pair = sides(condition)
      const own = pair?.findIndex((side) => isColumnOf(side, alias, level)) ?? -1
      if (!pair || own === -1) return false
      const other = pair[1 - own]!
      if (test(other)) return true
      const next = level.from.find((one) => isColumnOf(other, one.alias, level))
      return next !== undefined && this.#reaches(next.alias, level, outer, test, seen)
    })
  }

  /** A distributed table may not be on the nullable side of an outer join. */
  #joins(fromClause: Node[], cteNames: CteNames): string[] {
    return nodes(fromClause, 'JoinExpr', ['SelectStmt']).flatMap(({ jointype, larg, rarg }) => {
      if (jointype === 'JOIN_INNER') return []
      const [outerSide, nullableSide] = jointype === 'JOIN_RIGHT' ? [rarg, larg] : [larg, rarg]
      const has = (side: Node) =>
        nodes(side, 'RangeVar', ['SelectStmt']).some((table) => this.#table(table, cteNames).kind === 'distributed')
      return has(nullableSide) && !has(outerSide) ? ['outer join to a distributed table'] : []
    })
  }

  /** Checks subqueries: a correlated one runs on each node, any other one runs first and on its own. */
  #subqueries(query: Fields, cteNames: CteNames, levels: Level[]): string[] {
    const { withClause: _, ...rest } = query
    const level = levels.at(-1)!
    const isDistributed = level.from.some(({ kind }) => kind === 'distributed') && !level.isRouted
    return subqueries(rest).flatMap((inner) => {
      const correlated = isCorrelated(inner, levels)
      if (!correlated) return this.select(inner, cteNames, [])
      const violations = this.select(inner, cteNames, levels)
      const own = this.#level(inner.fromClause ?? [], inner.whereClause, cteNames, levels)
      const distributed = own.from.filter(({ kind }) => kind === 'distributed').map(({ alias }) => alias)
      const around = levels.flatMap(({ from }) => from.filter(({ kind }) => kind === 'distributed'))
      const meets = (side: Node) => around.some(({ alias }) => isColumnOf(side, alias, null))
      if (distributed.length > 0 && !own.isRouted) {
        if (!distributed.every((alias) => this.#reaches(alias, own, levels, meets)))
          violations.push(`a correlated subquery without ${column}`)
        if (inner.groupClause && !nodes(inner.groupClause, 'ColumnRef').some((one) => nameOf(one).at(-1) === column))
          violations.push(`a correlated subquery, grouped without ${column}`)
      }
      if (!isDistributed) return violations
      if (this.#namesLocal(inner, cteNames)) violations.push('a correlated subquery of a local table')
      if (distributed.length === 0 && subqueries(inner).some((deeper) => isCorrelated(deeper, [...levels, own])))
        violations.push('a correlated subquery in a correlated subquery of no distributed table')
      return violations
    })
  }

  /** Returns a violation if a subquery that runs first and on its own has no columns: its rows cannot be sent between nodes. */
  emptyRows(statement: Node): string[] {
    if (!this.#namesDistributed(statement)) return []
    const around = nodes(statement, 'RangeVar').map(({ relname, alias }) => alias?.aliasname ?? relname)
    const level: Level = {
      from: around.map((alias) => ({ alias, kind: 'local' })),
      conditions: [],
      isRouted: false,
    }
    const isEmpty = (query: Fields) => query.fromClause && !query.targetList && !isCorrelated(query, [level])
    return nodes(statement, 'SubLink').some(({ subselect }) => subselect?.SelectStmt && isEmpty(subselect.SelectStmt))
      ? ['a subquery without columns that runs on its own']
      : []
  }

  /** Rows of an anonymous type cannot be sent between nodes. */
  #anonymousRows(query: Fields, level: Level): string[] {
    const subs = level.from.filter(({ kind }) => kind === 'subquery').map(({ alias }) => alias)
    const named = nodes([query.targetList], 'ColumnRef', ['SelectStmt']).map(nameOf)
    return named.some((name) => name.length === 1 && subs.includes(name[0]!)) ? ['a whole row of a subquery'] : []
  }
}

/** A lock without names is one of every table. */
function locksJoined(lockingClause: Node[] | undefined, { from }: Level): boolean {
  const joined = from.filter(({ kind }) => kind === 'joined').map(({ alias }) => alias)
  return nodes(lockingClause ?? [], 'LockingClause').some(({ lockedRels }) => {
    const named = nodes(lockedRels ?? [], 'RangeVar').map(({ relname }) => relname)
    return named.length === 0 || named.some((name) => joined.includes(name))
  })
}

const hasOuterJoin = (fromClause: Node[] | undefined) =>
  nodes(fromClause ?? [], 'JoinExpr', ['SelectStmt']).some(({ jointype }) => jointype !== 'JOIN_INNER')
/** `true` is left out by PostgreSQL before Citus sees it. */
const isConstantFalse = (condition: Node) => {
  const { boolval } = bare(condition).A_Const ?? {}
  return boolval !== undefined && boolval.boolval !== true
}

const isGiven = (side: Node) => ['ParamRef', 'A_Const'].includes(Object.keys(bare(side))[0]!)

/** Returns whether this is the table's `campaign_id`; unqualified, it belongs to the only distributed table of the level. */
function isColumnOf(side: Node, alias: string, level: Level | null): boolean {
  const ref = bare(side).ColumnRef
  if (!ref) return false
  const [first, second] = nameOf(ref)
  if (second !== undefined) return first === alias && second === column
  return (
    first === column &&
    level !== null &&
    level.from.filter(({ kind }) => kind === 'distributed').length === 1 &&
    level.from.some((one) => one.kind === 'distributed' && one.alias === alias)
  )
}

const calls = (tree: unknown, names: readonly string[]) =>
  nodes(tree, 'FuncCall').some(({ funcname }) => names.includes(funcname.at(-1).String?.sval)) ||
  (names.includes('now') && nodes(tree, 'SQLValueFunction').length > 0)

/** Returns whether a stable function, or an interval, is applied to a column. */
function isStableOfColumn(tree: unknown): boolean {
  const hasColumn = (part: unknown) => nodes(part, 'ColumnRef').length > 0
  const calledStable = nodes(tree, 'FuncCall').filter(({ funcname }) => stable.includes(funcname.at(-1).String?.sval))
  const isInterval = (side: unknown) =>
    nodes(side, 'TypeCast').some(({ typeName }) => typeName.names.at(-1).String?.sval === 'interval')
  // A time without a zone, of `at time zone`, is immutable.
  const shifted = nodes(tree, 'A_Expr').filter(
    ({ name, lexpr, rexpr }) => ['+', '-'].includes(name[0].String?.sval) && isInterval(rexpr) && lexpr?.ColumnRef,
  )
  return calledStable.some(({ args }) => hasColumn(args)) || shifted.length > 0
}

/** Returns the direct subqueries of a query. */
function subqueries(query: Fields): Fields[] {
  const { larg: _, rarg: __, ...own } = query
  return nodes(Object.values(own), 'SelectStmt', ['SelectStmt'])
}

/** Returns whether a subquery refers to a table of an outer level. */
function isCorrelated(query: Fields, levels: Level[]): boolean {
  const around = new Set(levels.flatMap(({ from }) => from.map(({ alias }) => alias)))
  const read = new Set([
    ...nodes([query], 'RangeVar').map(({ relname, alias }) => alias?.aliasname ?? relname),
    ...nodes([query], 'RangeSubselect').map(({ alias }) => alias?.aliasname),
    ...nodes([query], 'RangeFunction').map(({ alias }) => alias?.aliasname),
  ])
  return nodes([query], 'ColumnRef')
    .map(nameOf)
    .some(([table, name]) => name !== undefined && around.has(table!) && !read.has(table!))
}
