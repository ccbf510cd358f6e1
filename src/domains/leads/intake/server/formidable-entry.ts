import { isObject } from '#contract/is-object.ts'
import { openJson } from '../../custom-sources/body-paths.ts'
import { type EventBody, getOwnField } from './parse-body.ts'

/**
 * Returns the answers of an entry, and what the plugin says about it. Without fields of its own, “Send API data” sends the whole row of the
 * entry's table, with the answers in `meta` or beside its columns; some versions put it under its key: `{ "k3y": { "id": …, "meta": {…} } }`.
 */
export function unwrapEntry(body: EventBody): EventBody {
  const values = Object.values(body)
  const [only] = values
  const entry = values.length === 1 && isObject(only) && isEntryRow(only) ? only : body
  if (!('form_id' in entry && ('item_key' in entry || isObject(entry.meta)))) return entry
  const { meta, name, description, ...rest } = entry
  const isTitle = isObject(meta) || (!('name-value' in rest) && isRepeated(name, rest))
  return readAnswers({
    ...(isObject(meta) ? meta : { meta }),
    ...(!isTitle && { name }),
    ...(!isOfVisit(description) && { description }),
    ...rest,
  })
}

const isEntryRow = (body: EventBody) => 'form_id' in body || 'item_key' in body

/** The title of an entry is its key, or its first answer. */
const isRepeated = (name: unknown, rest: EventBody) => name !== '' && Object.values(rest).includes(name)

/** In the column `description` of its entries, Formidable keeps what the visit came from, as JSON or as PHP's own text. */
function isOfVisit(description: unknown): boolean {
  const opened = openJson(description)
  return isObject(opened) ? 'browser' in opened : /^a:\d+:\{s:7:"browser";/.test(String(description))
}

/**
 * Reads a repeated part as its rows, `{ form: 8, i121: {…} }`, without the columns that stand beside it once more; and an answer once that
 * is sent as it is shown and, under the name with `-value`, as it is stored: a name or address by its parts, anything else as it is shown.
 */
function readAnswers(answers: EventBody): EventBody {
  const repeated = new Set<string>()
  const read = Object.entries(answers).map(([key, value]): [string, unknown] => {
    const rows = listRows(value)
    for (const row of rows ?? []) for (const name of Object.keys(row)) repeated.add(name)
    return [key, rows?.map(readAnswers) ?? value]
  })
  const stored = (key: string) => getOwnField(answers, `${key}-value`)
  return Object.fromEntries(
    read.flatMap(([key, value]): [string, unknown][] => {
      const isStored = key.endsWith('-value') && Object.hasOwn(answers, key.slice(0, -'-value'.length))
      if (isStored || (repeated.has(key) && isList(value))) return []
      return [[key, isObject(stored(key)) ? stored(key) : value]]
    }),
  )
}

function listRows(value: unknown): EventBody[] | null {
  if (!isObject(value) || !('form' in value)) return null
  const { form: _form, ...rows } = value
  const isRows = Object.entries(rows).every(([key, row]) => /^i\d+$/.test(key) && isObject(row))
  return isRows ? (Object.values(rows) as EventBody[]) : null // checked above
}

const isList = (value: unknown) => typeof value === 'object' && value !== null
