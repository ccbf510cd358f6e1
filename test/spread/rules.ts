import { bare, conjuncts, type Fields, type Node, nameOf, nodes, sides } from './tree.ts'

/** Which tables are spread over machines by `campaign_id`, and which are on each of them; all others are on the coordinator. */
export type Places = { spread: ReadonlySet<string>; everywhere: ReadonlySet<string> }

/**
 * What Citus would refuse of a statement, by its documentation and the expected output of its own regression tests (versions 12
 * and 13): sql support, subquery pushdown, modifications, multi-shard locks. Stricter than Citus where that is simpler to say.
 * A query that names one campaign runs on that campaign's machine, and may do there whatever PostgreSQL does.
 */
export function faultsOf(statement: Node, places: Places): string[] {
  return [...new Set(new Reader(places).statement(statement, new Set(), []))]
}

type From = { alias: string; kind: 'spread' | 'everywhere' | 'coordinator' | 'result' | 'function' | 'subquery' }
/** The tables of one query level, and the conditions that hold between them. */
type Level = { from: From[]; conditions: Node[]; isRouted: boolean }
/** Names of `with` queries that are in sight. */
type Results = ReadonlySet<string>

const column = 'campaign_id'
const volatile = ['random', 'clock_timestamp', 'nextval', 'setval', 'gen_random_uuid', 'timeofday']
const unstable = [...volatile, 'now', 'current_setting', 'txid_current']

class Reader {
  readonly #places: Places
  constructor(places: Places) {
    this.#places = places
  }

  statement(node: Node, results: Results, outer: Level[]): string[] {
    if (node.SelectStmt) return this.select(node.SelectStmt, results, outer)
    if (node.InsertStmt) return this.insert(node.InsertStmt, results)
    if (node.UpdateStmt) return this.change(node.UpdateStmt, node.UpdateStmt.fromClause, results)
    if (node.DeleteStmt) return this.change(node.DeleteStmt, node.DeleteStmt.usingClause, results)
    if (node.DeclareCursorStmt) return this.statement(node.DeclareCursorStmt.query, results, outer)
    return [] // commands are the script's and the migrations' matter
  }

  select(query: Fields, known: Results, outer: Level[]): string[] {
    const { results, faults } = this.#withs(query, known)
    if (query.larg && query.rarg)
      return [...faults, ...this.select(query.larg, results, outer), ...this.select(query.rarg, results, outer)]
    const level = this.#level(query.fromClause ?? [], query.whereClause, results, outer)
    const isSpread = level.from.some(({ kind }) => kind === 'spread') && !level.isRouted
    if (isSpread) {
      faults.push(...this.#together(level, outer))
      if (query.lockingClause) faults.push('locks rows on several machines')
      if (query.groupClause && nodes(query.groupClause, 'GroupingSet').length > 0) faults.push('grouping sets')
      if (nodes(query.fromClause, 'RangeTableSample', ['SelectStmt']).length > 0) faults.push('a sample')
      faults.push(...this.#wholeRows(query, level))
    }
    return [
      ...faults,
      ...this.#joins(query.fromClause ?? [], results),
      ...this.#inside(query, results, [...outer, level]),
    ]
  }

  insert(
    { relation, cols, selectStmt, onConflictClause, withClause, returningClause }: Fields,
    known: Results,
  ): string[] {
    const { results, faults } = this.#withs({ withClause }, known)
    faults.push(...(selectStmt ? this.statement(selectStmt, results, []) : []))
    if (!this.#isSpread(relation)) return faults
    if (!cols?.some((target: Node) => target.ResTarget?.name === column)) faults.push(`an insert without ${column}`)
    if (nodes(selectStmt?.SelectStmt?.valuesLists, 'SubLink').length > 0) faults.push('a subquery among the values')
    const arbiter = nodes(onConflictClause?.infer?.indexElems, 'IndexElem').map(({ name }) => name)
    if (onConflictClause && !arbiter.includes(column)) faults.push(`on conflict without ${column}`)
    if (calls(onConflictClause?.targetList, unstable)) faults.push('on conflict sets what changes with time')
    if (calls(returningClause, unstable)) faults.push('returns what changes with time')
    return faults
  }

  /** An update or a delete. */
  change(query: Fields, more: Node[] | undefined, known: Results): string[] {
    const { results, faults } = this.#withs(query, known)
    const level = this.#level([{ RangeVar: query.relation }, ...(more ?? [])], query.whereClause, results, [])
    const target = level.from[0]!
    if (target.kind === 'spread') {
      if (query.targetList?.some((set: Node) => set.ResTarget?.name === column)) faults.push(`overwrites ${column}`)
      if (calls([query.targetList, query.whereClause], volatile)) faults.push('a change by what differs each time')
      if (calls(query.returningClause, unstable)) faults.push('returns what changes with time')
      if (!level.isRouted) {
        faults.push(...this.#together(level, []))
        if (level.from.some(({ kind }) => kind === 'function')) faults.push('a change from a function')
      }
    } else if (level.from.some(({ kind }) => kind === 'spread'))
      faults.push('a change elsewhere, joined to spread tables')
    return [...faults, ...this.#joins(more ?? [], results), ...this.#inside(query, results, [level])]
  }

  /** The `with` queries each run by themselves; what they found is then on every machine. */
  #withs({ withClause }: Fields, known: Results): { results: Results; faults: string[] } {
    const results = new Set(known)
    const faults: string[] = []
    for (const { CommonTableExpr: one } of withClause?.ctes ?? []) {
      const own = this.statement(one.ctequery, results, [])
      faults.push(...own)
      if (withClause.recursive && this.#namesSpread(one.ctequery)) faults.push('a recursive query')
      results.add(one.ctename)
    }
    return { results, faults }
  }

  #level(fromClause: Node[], where: Node | undefined, results: Results, outer: Level[]): Level {
    const from: From[] = []
    const conditions = conjuncts(where)
    const walk = (item: Node) => {
      if (item.JoinExpr) {
        walk(item.JoinExpr.larg)
        walk(item.JoinExpr.rarg)
        conditions.push(...conjuncts(item.JoinExpr.quals))
      } else if (item.RangeVar) from.push(this.#table(item.RangeVar, results))
      else if (item.RangeSubselect) from.push({ alias: item.RangeSubselect.alias?.aliasname ?? '', kind: 'subquery' })
      else if (item.RangeFunction) from.push({ alias: item.RangeFunction.alias?.aliasname ?? '', kind: 'function' })
    }
    fromClause.forEach(walk)
    const level = { from, conditions, isRouted: false }
    const spread = from.filter(({ kind }) => kind === 'spread').map(({ alias }) => alias)
    level.isRouted = spread.length > 0 && spread.every((alias) => this.#reaches(alias, level, outer, isGiven))
    return level
  }

  #table({ relname, alias }: Fields, results: Results): From {
    const name = alias?.aliasname ?? relname
    if (results.has(relname)) return { alias: name, kind: 'result' }
    if (this.#places.spread.has(relname)) return { alias: name, kind: 'spread' }
    return { alias: name, kind: this.#places.everywhere.has(relname) ? 'everywhere' : 'coordinator' }
  }
  #isSpread = ({ relname }: Fields) => this.#places.spread.has(relname)
  #namesSpread = (tree: unknown) => nodes(tree, 'RangeVar').some(this.#isSpread)
  #namesCoordinator = (tree: unknown, results: Results) =>
    nodes(tree, 'RangeVar').some((table) => this.#table(table, results).kind === 'coordinator')

  /** The spread tables of a level meet in their campaign, also those of the level around; nothing of the coordinator is among them. */
  #together(level: Level, outer: Level[]): string[] {
    const spread = level.from.filter(({ kind }) => kind === 'spread').map(({ alias }) => alias)
    const faults = level.from.some(({ kind }) => kind === 'coordinator') ? ['joined to a table of the coordinator'] : []
    const [first, ...others] = spread
    if (others.some((alias) => !this.#reaches(alias, level, outer, (side) => isColumnOf(side, first!, level))))
      faults.push(`joined without ${column}`)
    return faults
  }

  /** Whether equations lead from a table's campaign to a side that passes the test. */
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

  /** A spread table may not be on the side of an outer join that is filled up. */
  #joins(fromClause: Node[], results: Results): string[] {
    return nodes(fromClause, 'JoinExpr', ['SelectStmt']).flatMap(({ jointype, larg, rarg }) => {
      if (jointype === 'JOIN_INNER') return []
      const [kept, filled] = jointype === 'JOIN_RIGHT' ? [rarg, larg] : [larg, rarg]
      const has = (side: Node) =>
        nodes(side, 'RangeVar', ['SelectStmt']).some((table) => this.#table(table, results).kind === 'spread')
      return has(filled) && !has(kept) ? ['filled up from spread tables'] : []
    })
  }

  /** Each subquery: one that looks outside is carried out on each machine, any other one by itself and before. */
  #inside(query: Fields, results: Results, levels: Level[]): string[] {
    const { withClause: _, ...rest } = query
    const level = levels.at(-1)!
    const isSpread = level.from.some(({ kind }) => kind === 'spread') && !level.isRouted
    return subqueries(rest).flatMap((inner) => {
      const looksOut = looksOutside(inner, levels)
      if (!looksOut) return this.select(inner, results, [])
      const faults = this.select(inner, results, levels)
      const own = this.#level(inner.fromClause ?? [], inner.whereClause, results, levels)
      const spread = own.from.filter(({ kind }) => kind === 'spread').map(({ alias }) => alias)
      const around = levels.flatMap(({ from }) => from.filter(({ kind }) => kind === 'spread'))
      const meets = (side: Node) => around.some(({ alias }) => isColumnOf(side, alias, null))
      if (spread.length > 0 && !own.isRouted) {
        if (!spread.every((alias) => this.#reaches(alias, own, levels, meets)))
          faults.push(`a subquery that looks outside without ${column}`)
        if (inner.groupClause && !nodes(inner.groupClause, 'ColumnRef').some((one) => nameOf(one).at(-1) === column))
          faults.push(`a subquery that looks outside, grouped without ${column}`)
      }
      if (!isSpread) return faults
      if (this.#namesCoordinator(inner, results))
        faults.push('a subquery that looks outside, of a table of the coordinator')
      if (spread.length === 0 && subqueries(inner).some((deeper) => looksOutside(deeper, [...levels, own])))
        faults.push('a subquery in a subquery that looks outside, of no spread table')
      return faults
    })
  }

  /** Rows of no named type cannot travel between machines. */
  #wholeRows(query: Fields, level: Level): string[] {
    const subs = level.from.filter(({ kind }) => kind === 'subquery').map(({ alias }) => alias)
    const named = nodes([query.targetList], 'ColumnRef', ['SelectStmt']).map(nameOf)
    return named.some((name) => name.length === 1 && subs.includes(name[0]!)) ? ['a whole row of a subquery'] : []
  }
}

const isGiven = (side: Node) => ['ParamRef', 'A_Const'].includes(Object.keys(bare(side))[0]!)

/** Whether this is a table's campaign; one without the table's name is that of the level's only table that has one. */
function isColumnOf(side: Node, alias: string, level: Level | null): boolean {
  const ref = bare(side).ColumnRef
  if (!ref) return false
  const [first, second] = nameOf(ref)
  if (second !== undefined) return first === alias && second === column
  return (
    first === column &&
    level !== null &&
    level.from.filter(({ kind }) => kind === 'spread').length === 1 &&
    level.from.some((one) => one.kind === 'spread' && one.alias === alias)
  )
}

const calls = (tree: unknown, names: readonly string[]) =>
  nodes(tree, 'FuncCall').some(({ funcname }) => names.includes(funcname.at(-1).String?.sval)) ||
  (names.includes('now') && nodes(tree, 'SQLValueFunction').length > 0)

/** The queries right inside this one, not those inside them. */
function subqueries(query: Fields): Fields[] {
  const { larg: _, rarg: __, ...own } = query
  return nodes(Object.values(own), 'SelectStmt', ['SelectStmt'])
}

/** Whether it names a table of a level around it, which it does not itself read. */
function looksOutside(query: Fields, levels: Level[]): boolean {
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
