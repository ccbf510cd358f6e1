import { leadColumns } from '#domains/leads/fields.ts'
import { hideableViews } from './contract.ts'

type HideableView = (typeof hideableViews)[number]
/** The columns of each view. */
const hideableColumns: Record<HideableView, readonly string[]> = { 'leads.list': leadColumns }

/** Returns whether the view exists and has all of these columns. */
export function canHideColumns(view: string | undefined, hidden: string[]): view is HideableView {
  const known = hideableViews.find((name) => name === view)
  return known !== undefined && hidden.length <= 100 && hidden.every((key) => hideableColumns[known].includes(key))
}
