import { expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#app/server/parts.ts'

/** PostgreSQL stores neither a NUL nor half a surrogate pair: a call that lets them through answers 500. */
const unstorable = ['ab\0cdef', 'ab\ud800cd']

/** Hashed, encrypted, sent on, ignored, or only compared with a list of names. */
const neverStored = new Set(
  `password old_password new_password_confirmation token code recovery_code challenge state iss credential key auth_key
  by signature callrail_signing_key webhook_problem hidden_columns view query sort field`.split(/\s+/),
)

test('no text of a body or a query holds what PostgreSQL cannot store (R14)', () => {
  const found = allEndpoints.flatMap(({ endpoint: { address, query, body, raw } }) =>
    [query, raw ? undefined : body].flatMap((schema) => (schema ? findUnstorable(schema, address, []) : [])),
  )
  expect(found).toEqual([])
})

test('text without the check is found in objects, lists, records and choices', () => {
  const schema = z.object({
    a: z.array(z.string()).optional(),
    b: z.record(z.string(), z.int()),
    c: z.union([z.int(), z.string().trim()]).nullable(),
    d: z.preprocess((value) => value, z.string().default('')),
    e: z.email(),
    password: z.string(),
  })
  expect(findUnstorable(schema, 'it', []).map((one) => one.at(-1))).toEqual(['a', 'b', 'c', 'd'])
})

/** Returns the names on the way to each text that takes them. */
function findUnstorable(schema: z.ZodType, address: string, names: string[]): string[][] {
  if (names.some((name) => neverStored.has(name))) return []
  const inside = (one: z.ZodType, name?: string) => findUnstorable(one, address, name ? [...names, name] : names)
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
    return unstorable.some((text) => schema.safeParse(text).success) ? [[address, ...names]] : []
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([name, one]) => inside(one, name))
  if (schema instanceof z.ZodArray) return inside(schema.element as z.ZodType)
  if (schema instanceof z.ZodTuple) return schema.def.items.flatMap((one) => inside(one as z.ZodType))
  if (schema instanceof z.ZodRecord)
    return [schema.keyType, schema.valueType].flatMap((one) => inside(one as unknown as z.ZodType))
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => inside(one as z.ZodType))
  // A text that is piped into another one is checked by the other.
  if (schema instanceof z.ZodPipe)
    return [schema.in, schema.out].some((one) => refusesUnstorable(one as z.ZodType))
      ? []
      : [schema.in, schema.out].flatMap((one) => inside(one as z.ZodType))
  if ('innerType' in schema.def) return inside(schema.def.innerType as z.ZodType)
  return []
}

const refusesUnstorable = (schema: z.ZodType) => unstorable.every((text) => !schema.safeParse(text).success)
