const storageKey = (person: number | null, table: string) => `leadline.last-view.${person}.${table}`

/** Returns the view that this person left a list with, in this browser. */
export const readLastView = (person: number | null, table: string): string | null =>
  localStorage.getItem(storageKey(person, table))

/** Null forgets it. */
export function keepLastView(person: number | null, table: string, view: string | null) {
  if (view === null) localStorage.removeItem(storageKey(person, table))
  else localStorage.setItem(storageKey(person, table), view)
}
