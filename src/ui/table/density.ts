import { useSyncExternalStore } from 'react'

export const rowDensities = ['compact', 'normal', 'comfortable'] as const
export type RowDensity = (typeof rowDensities)[number]

const densityStorageKey = 'leadline.density'
const densityListeners = new Set<() => void>()

/** How high rows are, kept for this browser and the same in every table. */
export function useRowDensity(): [RowDensity, (density: RowDensity) => void] {
  return [useSyncExternalStore(subscribeDensity, readDensity), saveDensity]
}

function readDensity(): RowDensity {
  const kept = localStorage.getItem(densityStorageKey)
  return rowDensities.find((density) => density === kept) ?? 'normal'
}

function saveDensity(density: RowDensity) {
  localStorage.setItem(densityStorageKey, density)
  for (const tell of densityListeners) tell()
}

function subscribeDensity(tell: () => void) {
  densityListeners.add(tell)
  return () => {
    densityListeners.delete(tell)
  }
}
