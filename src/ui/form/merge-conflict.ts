type FormValues = Record<string, unknown>

/** What others changed while a form was open. */
export type MergeConflict = {
  /** Fields that one had not touched: they take the newer values. */
  taken: FormValues
  /** Fields that both have changed: one must choose. */
  open: FormValues
}

/** `seen` is what the form began with, `mine` what stands in it, `now` what was saved since. */
export function findMergeConflict(seen: FormValues, mine: FormValues, now: FormValues): MergeConflict {
  const theirs = Object.entries(now).filter(
    ([name, value]) => !isSameValue(value, seen[name]) && !isSameValue(value, mine[name]),
  )
  const isUntouched = ([name]: [string, unknown]) => isSameValue(mine[name], seen[name])
  return {
    taken: Object.fromEntries(theirs.filter(isUntouched)),
    open: Object.fromEntries(theirs.filter((entry) => !isUntouched(entry))),
  }
}

/** An emptied text field is no other than one that never held anything. */
const isSameValue = (one: unknown, other: unknown) =>
  JSON.stringify(normalizeEmpty(one)) === JSON.stringify(normalizeEmpty(other))
const normalizeEmpty = (value: unknown) => (value === '' ? null : (value ?? null))
