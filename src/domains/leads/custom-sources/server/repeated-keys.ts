import { parseJson } from '../body-paths.ts'

/**
 * Parses JSON whose objects may have a key more than once, of which `JSON.parse` keeps only the last: like a field that is repeated in a
 * form, its values become a list. An empty one hides no other, and the same one twice is one.
 */
export function parseRepeatedKeys(text: string): unknown {
  const value = parseJson(text)
  const keys = text.match(stringPattern)?.filter((string) => string.endsWith(':')) ?? []
  return keys.length === countKeys(value) ? value : joinRepeated(parseJson(numberKeys(text)))
}

/** A string, with the colon behind it if it is a key. Outside of strings, JSON has no quotes. */
const stringPattern = /"(?:[^"\\]|\\.)*"(?:\s*:)?/g

/** What stands between a key and its number, while the values of one are put together. */
const mark = '\0'
const escapedMark = String.raw`\u0000`

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce((sum: number, one) => sum + countKeys(one), Array.isArray(value) ? 0 : inner.length)
}

function numberKeys(text: string): string {
  let count = 0
  return text.replace(stringPattern, (string) =>
    string.endsWith(':') ? `${string.slice(0, string.lastIndexOf('"'))}${escapedMark}${++count}":` : string,
  )
}

function joinRepeated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(joinRepeated)
  if (typeof value !== 'object' || value === null) return value
  const byKey = Map.groupBy(Object.entries(value), ([key]) => key.slice(0, key.lastIndexOf(mark)))
  return Object.fromEntries(
    [...byKey].map(([key, group]) => [key, joinValues(group.map(([, one]) => joinRepeated(one)))]),
  )
}

function joinValues(values: unknown[]): unknown {
  const distinct = [...new Map(values.map((one) => [JSON.stringify(one), one])).values()]
  const filled = distinct.filter((one) => one !== null && one !== '')
  return filled.length > 1 ? filled : (filled[0] ?? distinct[0])
}
