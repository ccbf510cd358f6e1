type FormValues = Record<string, unknown>

/** Changes by others while a form was open. */
export type MergeConflict = {
  /** Fields that the user has not edited: they take the newer values. */
  taken: FormValues
  /** Fields that both have changed: the user must choose. */
  open: FormValues
}

/** Compares the initial values `seen`, the edited values `mine`, and the newly saved values `now`. */
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

/** Returns `now` with the fields that `mine` has changed since `seen`. */
export const withEdits = (seen: FormValues, mine: FormValues, now: FormValues): FormValues => ({
  ...now,
  ...Object.fromEntries(Object.entries(mine).filter(([name, value]) => !isSameValue(value, seen[name]))),
})

/** A cleared text field equals one that was never filled in. */
const isSameValue = (one: unknown, other: unknown) =>
  JSON.stringify(normalizeEmpty(one)) === JSON.stringify(normalizeEmpty(other))
const normalizeEmpty = (value: unknown) => (value === '' ? null : (value ?? null))
