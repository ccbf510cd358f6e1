import { create } from 'zustand'

export const rowDensities = ['compact', 'normal', 'comfortable'] as const
export type RowDensity = (typeof rowDensities)[number]

const densityStorageKey = 'leadline.density'
/** What was chosen since the page was loaded. */
const useDensityStore = create<{ chosen?: RowDensity }>(() => ({}))

/** How high rows are, kept for this browser and the same in every table. */
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
