/** Returns a function that creates a value for each owner, such as a context, once, and keeps it as long as the owner. */
export function createOncePer<Owner extends object, More extends unknown[], Value>(
  create: (owner: Owner, ...more: More) => Value,
): (owner: Owner, ...more: More) => Value {
  const created = new WeakMap<Owner, Value>()
  return (owner, ...more) => {
    const value = created.get(owner) ?? create(owner, ...more)
    created.set(owner, value)
    return value
  }
}
