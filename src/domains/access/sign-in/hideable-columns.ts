import { leadColumns } from '#domains/leads/fields.ts'
import { hideableViews } from './contract.ts'

type HideableView = (typeof hideableViews)[number]
/** The columns of each view. */
const hideableColumns: Record<HideableView, readonly string[]> = { 'leads.list': leadColumns }

/** Returns whether there is such a view. */
export const isHideableView = (view: string | undefined): view is HideableView =>
  hideableViews.some((name) => name === view)

/** Returns whether the view has all of these columns. */
export const canHideColumns = (view: HideableView, hidden: string[]): boolean =>
  hidden.length <= 100 && hidden.every((key) => hideableColumns[view].includes(key))
