import { z } from 'zod'
import { type Endpoint, isRepeatable } from '#contract/endpoint.ts'
import { idField } from '#contract/fields.ts'
import type { ImplementedEndpoint } from './handle.ts'
import { idempotencyKeyPattern } from './idempotency.ts'

type JsonSchema = Record<string, unknown>
type OpenApiParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
  description?: string
}
type OpenApiContent = Record<string, { schema: JsonSchema }>
type OpenApiOperation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  'x-allow': string
  security: Record<string, string[]>[]
  parameters: OpenApiParameter[]
  requestBody?: { required: boolean; content: OpenApiContent }
  responses: Record<string, { description: string; content?: OpenApiContent }>
}

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return completeSchema(rest)
}

/** Adapts JSON Schema to OpenAPI's stricter rules: arrays get `items`, and an `anyOf` that takes anything is dropped. */
function completeSchema(schema: JsonSchema): JsonSchema {
  const complete = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(complete)
      : typeof value === 'object' && value !== null
        ? completeSchema(value as JsonSchema) // an object of a JSON document
        : value
  const { anyOf, ...rest } = schema
  const takesAnything = Array.isArray(anyOf) && anyOf.some((choice) => Object.keys(choice as object).length === 0)
  const kept = takesAnything ? rest : schema
  const completed = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, complete(value)]))
  return completed.type === 'array' && !completed.items ? { ...completed, items: {} } : completed
}

/** Returns the OpenAPI 3.1 document of the whole contract. */
export function createOpenApi(calls: readonly ImplementedEndpoint[], server: string) {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  // Addresses that differ only in a parameter's name share one path, with the first name.
  const spelledPaths = new Map<string, string>()
  for (const { endpoint } of calls) {
    const shape = endpoint.path.replace(/:\w+/g, ':')
    const spelled = spelledPaths.get(shape) ?? endpoint.path
    spelledPaths.set(shape, spelled)
    const path = `/api${spelled.replace(/:(\w+)/g, '{$1}')}`
    const methods = paths[path] ?? {}
    methods[endpoint.method.toLowerCase()] = toOperation(endpoint, spelled)
    paths[path] = methods
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leadline',
      version: '1',
      description: 'Every call of Leadline, from the contract that server and screens share.',
      contact: { name: 'The agency that runs this Leadline', url: server || 'https://leadline.example' },
      license: { name: 'UNLICENSED', url: server || 'https://leadline.example' },
    },
    servers: [{ url: server || '/' }],
    tags: [...new Set(calls.map(({ endpoint }) => readTag(endpoint)))]
      .sort()
      .map((name) => ({ name, description: `Calls whose address starts with /${name}` })),
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function toOperation(endpoint: Endpoint, spelledPath: string): OpenApiOperation {
  const { description, allow, body, upload, raw, conflict } = endpoint
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-zA-Z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: description ? readFirstSentence(description) : describeAddress(endpoint),
    description: description ?? describeAddress(endpoint),
    tags: [readTag(endpoint)],
    'x-allow': allow.words ?? 'everyone',
    security: allow.guests ? [] : [{ session: [] }],
    parameters: [
      ...toPathParameters(endpoint, spelledPath),
      ...toQueryParameters(endpoint),
      ...(isRepeatable(endpoint) ? [idempotencyKeyParameter] : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: jsonContent(toJsonSchema(body, 'input')),
          },
        }
      : {}),
    ...(raw ? { requestBody: { required: false, content: { '*/*': { schema: {} } } } } : {}),
    ...(upload
      ? { requestBody: { required: true, content: { 'multipart/form-data': { schema: fileFormSchema } } } }
      : {}),
    responses: {
      ...toSuccess(endpoint),
      ...(conflict ? { 409: { description: 'Stale version', content: jsonContent(toConflictSchema(conflict)) } } : {}),
      '4XX': { description: 'Refused', content: jsonContent(problemSchema) },
    },
  }
}

function toSuccess({ response, streams, file }: Endpoint): OpenApiOperation['responses'] {
  if (response) return { 200: { description: 'Done', content: jsonContent(toJsonSchema(response, 'output')) } }
  if (!streams) return { 204: { description: 'Done' } }
  if (streams === 'redirect') return { 302: { description: 'Redirects' } }
  const type = streams === true ? fileTypes[file?.split('.').at(-1) ?? ''] : streams
  const content = { [type ?? 'application/octet-stream']: { schema: fileSchema } }
  return {
    200: { description: 'Done', content },
    ...(type === 'audio/*' && {
      206: { description: 'The requested range', content },
      416: { description: 'There is no such range' },
    }),
  }
}

const fileTypes: Record<string, string | undefined> = { csv: 'text/csv', pdf: 'application/pdf', png: 'image/png' }

const idempotencyKeyParameter: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Sent again with the same key and body within a day, the request is not made twice: the first answer is returned.',
  schema: { type: 'string', pattern: idempotencyKeyPattern.source },
}

/** Returns the tag of a call: the first word of its address. */
const readTag = ({ path }: Endpoint) => path.split('/')[1]!.replace(/s$/, '')

const readFirstSentence = (text: string) => /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/[.:]$/, '') ?? text

const verbs = { GET: 'Reads', POST: 'Creates or runs', PUT: 'Changes', PATCH: 'Changes', DELETE: 'Removes' }
/** Returns the description of a call that has none of its own. */
const describeAddress = ({ method, path }: Endpoint) =>
  `${verbs[method]} ${path
    .slice(1)
    .replace(/:(\w+)/g, 'one by $1')
    .replaceAll('/', ', ')
    .replaceAll('-', ' ')}`

const jsonContent = (schema: JsonSchema): OpenApiContent => ({ 'application/json': { schema } })
const fileSchema: JsonSchema = { type: 'string', format: 'binary' }
const fileFormSchema: JsonSchema = { type: 'object', required: ['file'], properties: { file: fileSchema } }
const problemSchema: JsonSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
}

const toConflictSchema = (conflict: z.core.$ZodLooseShape): JsonSchema => ({
  allOf: [problemSchema, toJsonSchema(z.object(conflict).partial(), 'output')],
})

function toPathParameters({ path, params }: Endpoint, spelledPath: string): OpenApiParameter[] {
  const spelled = [...spelledPath.matchAll(/:(\w+)/g)]
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ''], at) => ({
    name: spelled[at]![1]!,
    in: 'path',
    required: true,
    schema: toJsonSchema(params?.[name] ?? idField, 'input'),
  }))
}

function toQueryParameters({ query }: Endpoint): OpenApiParameter[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape as Record<string, z.ZodType>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    // Text on the wire; the output schema shows the parsed type.
    schema: toJsonSchema(schema, 'output'),
  }))
}
