import { useSyncExternalStore } from 'react'

export const densities = ['compact', 'normal', 'comfortable'] as const
export type Density = (typeof densities)[number]

const key = 'leadline.density'
const listeners = new Set<() => void>()

/** How high rows are, kept for this browser and the same in every table. */
export function useDensity(): [Density, (density: Density) => void] {
  return [useSyncExternalStore(listen, current), choose]
}

function current(): Density {
  const kept = localStorage.getItem(key)
  return densities.find((density) => density === kept) ?? 'normal'
}

function choose(density: Density) {
  localStorage.setItem(key, density)
  for (const tell of listeners) tell()
}

function listen(tell: () => void) {
  listeners.add(tell)
  return () => {
    listeners.delete(tell)
  }
}
