import { leadColumns } from '#domains/leads/labels.ts'
import { views } from './contract.ts'

type View = (typeof views)[number]
/** The columns that each view knows. */
const columns: Record<View, readonly string[]> = { 'leads.list': leadColumns }

/** Whether the view exists and has all of these columns. */
export function isHideable(view: string | undefined, hidden: string[]): view is View {
  const known = views.find((name) => name === view)
  return known !== undefined && hidden.length <= 100 && hidden.every((key) => columns[known].includes(key))
}
