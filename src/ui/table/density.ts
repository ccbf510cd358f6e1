import { create } from 'zustand'

export const rowDensities = ['compact', 'normal', 'comfortable'] as const
export type RowDensity = (typeof rowDensities)[number]

const densityStorageKey = 'leadline.density'
/** The density that was chosen since the page was loaded. */
const useDensityStore = create<{ chosen?: RowDensity }>(() => ({}))

/** Returns the row density of all tables, stored in this browser, and its setter. */
export function useRowDensity(): [RowDensity, (density: RowDensity) => void] {
  return [useDensityStore(({ chosen }) => chosen ?? readDensity()), saveDensity]
}

function readDensity(): RowDensity {
  const kept = localStorage.getItem(densityStorageKey)
  return rowDensities.find((density) => density === kept) ?? 'normal'
}

function saveDensity(density: RowDensity) {
  localStorage.setItem(densityStorageKey, density)
  useDensityStore.setState({ chosen: density })
}
