type Values = Record<string, unknown>

/** What somebody else changed while a form was open. */
export type Meanwhile = {
  /** Fields that one had not touched: they take the newer values. */
  taken: Values
  /** Fields that both have changed: one must choose. */
  open: Values
}

/** `seen` is what the form began with, `mine` what stands in it, `now` what was saved since. */
export function changedMeanwhile(seen: Values, mine: Values, now: Values): Meanwhile {
  const theirs = Object.entries(now).filter(([name, value]) => !same(value, seen[name]) && !same(value, mine[name]))
  const isUntouched = ([name]: [string, unknown]) => same(mine[name], seen[name])
  return {
    taken: Object.fromEntries(theirs.filter(isUntouched)),
    open: Object.fromEntries(theirs.filter((entry) => !isUntouched(entry))),
  }
}

/** An emptied text field is no other than one that never held anything. */
const same = (one: unknown, other: unknown) => JSON.stringify(plain(one)) === JSON.stringify(plain(other))
const plain = (value: unknown) => (value === '' ? null : (value ?? null))
