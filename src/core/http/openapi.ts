import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { idField } from '#contract/fields.ts'
import type { ImplementedEndpoint } from './handle.ts'

type JsonSchema = Record<string, unknown>
type OpenApiParameter = { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }
type OpenApiContent = { 'application/json': { schema: JsonSchema } }
type OpenApiOperation = {
  operationId: string
  summary?: string
  'x-allow': string
  security: Record<string, string[]>[]
  parameters: OpenApiParameter[]
  requestBody?: { required: boolean; content: OpenApiContent }
  responses: Record<string, { description: string; content?: OpenApiContent }>
}

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** OpenAPI 3.1 of the whole contract. */
export function createOpenApi(calls: readonly ImplementedEndpoint[], server: string) {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const { endpoint } of calls) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const methods = paths[path] ?? {}
    methods[endpoint.method.toLowerCase()] = toOperation(endpoint)
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

function toOperation(endpoint: Endpoint): OpenApiOperation {
  const { description, allow, body, response, conflict } = endpoint
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-zA-Z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...(description ? { summary: description } : {}),
    'x-allow': allow.words ?? 'everyone',
    security: allow.guests ? [] : [{ session: [] }],
    parameters: [...toPathParameters(endpoint), ...toQueryParameters(endpoint)],
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: jsonContent(toJsonSchema(body, 'input')),
          },
        }
      : {}),
    responses: {
      ...(response
        ? { 200: { description: 'Done', content: jsonContent(toJsonSchema(response, 'output')) } }
        : { 204: { description: 'Done' } }),
      ...(conflict ? { 409: { description: 'Stale version', content: jsonContent(toConflictSchema(conflict)) } } : {}),
      default: { description: 'Refused', content: jsonContent(problemSchema) },
    },
  }
}

const jsonContent = (schema: JsonSchema): OpenApiContent => ({ 'application/json': { schema } })
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

function toPathParameters({ path, params }: Endpoint): OpenApiParameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: toJsonSchema(params?.[name] ?? idField, 'input'),
  }))
}

function toQueryParameters({ query }: Endpoint): OpenApiParameter[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    // Text on the wire; the output side says what it must parse to.
    schema: toJsonSchema(schema as z.ZodType, 'output'),
  }))
}
