import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/fields.ts'
import type { Implemented } from './handle.ts'

type Schema = Record<string, unknown>
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Content = { 'application/json': { schema: Schema } }
type Operation = {
  operationId: string
  summary?: string
  'x-allow': string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** OpenAPI 3.1 of the whole contract. */
export function openApi(calls: Implemented[], server: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { endpoint } of calls) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const methods = paths[path] ?? {}
    methods[endpoint.method.toLowerCase()] = operation(endpoint)
    paths[path] = methods
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Leadline', version: '1' },
    servers: [{ url: server || '/' }],
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function operation(endpoint: Endpoint): Operation {
  const { about, allow, body, answers } = endpoint
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-zA-Z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...(about ? { summary: about } : {}),
    'x-allow': allow.words ?? 'everyone',
    security: allow.guests ? [] : [{ session: [] }],
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    ...(body
      ? { requestBody: { required: !body.safeParse(undefined).success, content: json(toSchema(body, 'input')) } }
      : {}),
    responses: {
      ...(answers
        ? { 200: { description: 'Done', content: json(toSchema(answers, 'output')) } }
        : { 204: { description: 'Done' } }),
      default: { description: 'Refused', content: json(problem) },
    },
  }
}

const json = (schema: Schema): Content => ({ 'application/json': { schema } })
const problem: Schema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
}

function pathParameters({ path, params }: Endpoint): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: toSchema(params?.[name] ?? id, 'input'),
  }))
}

function queryParameters({ query }: Endpoint): Parameter[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    // Text on the wire; the output side says what it must parse to.
    schema: toSchema(schema as z.ZodType, 'output'),
  }))
}
