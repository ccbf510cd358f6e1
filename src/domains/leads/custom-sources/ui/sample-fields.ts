import type { CustomSource } from '../contract.ts'

/** A field of a sample: its path in a mapping, and its value. */
export type SampleField = { path: string; says: string }

const maxFields = 200
const nameKeys = ['name', 'column_id', 'column_name', 'key', 'label']
const valueKeys = ['values', 'string_value', 'value', 'answer']

/** Lists the fields of a sample. A named answer is listed once, by its name. */
export function listSampleFields(sample: CustomSource['sample']): SampleField[] {
  return collectFields(sample, '').slice(0, maxFields)
}

function collectFields(value: unknown, path: string): SampleField[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return path === '' ? [] : [{ path, says: String(value) }]
  if (Array.isArray(value) && path !== '' && value.every((item) => typeof item !== 'object'))
    return [{ path, says: value.join(', ') }]
  return Object.entries(value).flatMap(([key, inner]) => {
    const answer = Array.isArray(value) ? readAnswer(inner) : null
    const step = path === '' ? '' : `${path}.`
    return answer ? [{ path: step + answer.name, says: answer.says }] : collectFields(inner, step + key)
  })
}

function readAnswer(item: unknown): { name: string; says: string } | null {
  if (typeof item !== 'object' || item === null) return null
  const fields = new Map(Object.entries(item))
  const name = nameKeys.map((key) => fields.get(key)).find((text) => typeof text === 'string' && text !== '')
  const value = valueKeys.map((key) => fields.get(key)).find((said) => said !== undefined)
  return typeof name === 'string' && value !== undefined ? { name, says: String(value) } : null
}
