/** PostgreSQL's own parse tree, as libpg_query gives it: nodes of one key, whose value holds more of them. */
export type Node = { [kind: string]: Fields }
// biome-ignore lint/suspicious/noExplicitAny: some three hundred kinds of nodes, of which a few are asked for a few fields
export type Fields = any

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && /^[A-Z]/.test(Object.keys(value)[0] ?? '')

/** The nodes of this kind in a tree, without going into those that `stop` names. */
export function nodes(tree: unknown, kind: string, stop: readonly string[] = []): Fields[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => nodes(part, kind, stop))
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => {
    const found = key === kind && isNode(tree) ? [value] : []
    return stop.includes(key) ? found : [...found, ...nodes(value, kind, stop)]
  })
}

/** A column as it is named: `leads.id` or `id`. */
export const nameOf = (column: Fields): string[] => column.fields.map((field: Node) => field.String?.sval ?? '*')

/** The conditions that all hold, of a where clause or a join. */
export function conjuncts(condition: Node | undefined): Node[] {
  if (!condition) return []
  if (condition.BoolExpr?.boolop === 'AND_EXPR') return condition.BoolExpr.args.flatMap(conjuncts)
  return [condition]
}

/** The two sides of an equation. */
export function sides(condition: Node): [Node, Node] | null {
  const { kind, name, lexpr, rexpr } = condition.A_Expr ?? {}
  return kind === 'AEXPR_OP' && name[0].String?.sval === '=' && lexpr && rexpr ? [lexpr, rexpr] : null
}

/** Without the types that are written around it. */
export const bare = (expression: Node): Node => (expression.TypeCast ? bare(expression.TypeCast.arg) : expression)
