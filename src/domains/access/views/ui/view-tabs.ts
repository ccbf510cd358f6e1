import type { SearchParams } from '#ui/data/search-params.ts'
import type { ViewedList } from './view-address.ts'

/** A view that everyone has. */
export type ViewPreset = {
  value: string
  name: string
  /** What it adds to the filters that are set. */
  query: SearchParams
  /** The number of its rows under those filters, if the list knows it. */
  count?: number | undefined
}
export type SavedViewsProps = {
  table: string
  list: ViewedList
  /** How many rows the list shows now. */
  total: number | undefined
  /** The visible columns in order, if the list lets people choose them. */
  columns?: readonly string[]
  /** Views that the list comes with, the whole list last. With more than one, it opens with the one that the person left. */
  presets?: readonly ViewPreset[]
  /** What to tell about the chosen one. */
  note?: string | undefined
}
