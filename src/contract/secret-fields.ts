import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/**
 * The secrets among the fields of responses: what lets its holder read or write as someone else. Only the person whose session it is
 * gets them; they are null in a view as another person, and for an API key.
 */
const secretSchemas = z.registry()

/** A secret in a response, or null. */
export const secretField = () => z.string().nullable().register(secretSchemas)

/** The names that lead to a field; `*` is each element of a list or record. */
type FieldPath = readonly string[]

type Responses = Pick<Endpoint, 'response' | 'conflict'>
const foundSecrets = new WeakMap<Responses, FieldPath[]>()

/** Returns the paths of the secrets in the responses of a call; the row in a 409 is below its name. Looks through its schemas once. */
export function findResponseSecrets(call: Responses): FieldPath[] {
  const { response, conflict = {} } = call
  const found = foundSecrets.get(call) ?? [...findSecrets(response), ...findSecrets(z.object(conflict))]
  foundSecrets.set(call, found)
  return found
}

function findSecrets(schema: z.core.$ZodType | undefined): FieldPath[] {
  if (!schema) return []
  if (secretSchemas.has(schema)) return [[]]
  const below = (name: string, inner: z.core.$ZodType) => findSecrets(inner).map((path) => [name, ...path])
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([name, inner]) => below(name, inner))
  if (schema instanceof z.ZodArray) return below('*', schema.element)
  if (schema instanceof z.ZodRecord) return below('*', schema.valueType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(findSecrets)
  if (schema instanceof z.ZodPipe) return findSecrets(schema.out)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findSecrets(schema.unwrap())
  return []
}

/** Returns a copy of a response with null in place of what these paths lead to. */
export function hideSecrets(value: unknown, paths: readonly FieldPath[]): unknown {
  return paths.reduce(hideSecret, value)
}

function hideSecret(value: unknown, [name, ...rest]: FieldPath): unknown {
  if (name === undefined) return null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return name === '*' ? value.map((one: unknown) => hideSecret(one, rest)) : value
  const hidden = Object.entries(value).map(([key, one]) => [
    key,
    name === '*' || key === name ? hideSecret(one, rest) : one,
  ])
  return Object.fromEntries(hidden)
}
