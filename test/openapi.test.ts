import { expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { createOpenApi } from '#core/http/openapi.ts'

/** The rules of `spectral:oas` and Redocly that our description once broke. CONTRIBUTING.md says how to run both programs. */
const api = createOpenApi(allEndpoints, 'https://leadline.example')
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ address: `${method} ${path}`, path, operation })),
)

test('each operation has a summary, a description, declared tags, and an error response', () => {
  const declared = new Set(api.tags.map(({ name }) => name))
  const incomplete = operations.filter(
    ({ operation: { summary, description, tags, responses } }) =>
      !summary || !description || tags.length === 0 || tags.some((tag) => !declared.has(tag)) || !responses['4XX'],
  )
  expect(incomplete.map(({ address }) => address)).toEqual([])
  expect(operations.length).toBe(allEndpoints.length)
})

test('operation ids are unique, and no two paths differ only in a parameter’s name', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(ids.length).toBe(new Set(ids).size)
  const shapes = Object.keys(api.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
  expect(shapes.length).toBe(new Set(shapes).size)
})

test('each path parameter is described under its name in the path', () => {
  const wrong = operations.filter(({ path, operation }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
    return JSON.stringify(named) !== JSON.stringify(described)
  })
  expect(wrong.map(({ address }) => address)).toEqual([])
})

test('arrays describe their items, and no choice accepts anything', () => {
  const found: string[] = []
  const walk = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null) return
    const { type, items, anyOf } = value as { type?: unknown; items?: unknown; anyOf?: unknown }
    if (type === 'array' && (typeof items !== 'object' || items === null)) found.push(`${place}: items`)
    if (Array.isArray(anyOf) && anyOf.some((choice) => Object.keys(choice).length === 0)) found.push(`${place}: anyOf`)
    for (const [name, part] of Object.entries(value)) walk(part, `${place}/${name}`)
  }
  walk(api.paths, '')
  expect(found).toEqual([])
})

test('each value of an answer has a type, except for what others define', () => {
  const untyped = new Set<string>()
  const walk = (value: object) => {
    for (const [name, part] of Object.entries(value)) {
      if (typeof part !== 'object' || part === null) continue
      if (name === 'properties')
        for (const [key, schema] of Object.entries(part as Record<string, object>))
          if (Object.keys(schema).length === 0) untyped.add(key)
      walk(part)
    }
  }
  for (const { operation } of operations) walk(operation.responses)
  // Before and after a change of a lead, and what a program sent as a sample.
  expect([...untyped].toSorted()).toEqual(['from', 'sample', 'to'])
})

test('a query parameter is required where the call refuses its absence', () => {
  const described = operations.flatMap(({ address, operation }) =>
    operation.parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => `${address} ${name}`),
  )
  const refused = allEndpoints.flatMap(({ endpoint: { method, path, query } }) => {
    const { error } = query?.safeParse({}) ?? {}
    const names = new Set(error?.issues.map((issue) => String(issue.path[0])))
    return [...names].map((name) => `${method.toLowerCase()} /api${path.replace(/:(\w+)/g, '{$1}')} ${name}`)
  })
  expect(described.toSorted()).toEqual(refused.toSorted())
  expect(described).toContain('get /api/views table')
})

test('files and streams are answered with their type, and calls of other programs may have any body', () => {
  const describe = (address: string) => {
    const [method = '', path = ''] = address.split(' ')
    const { requestBody, responses } = api.paths[path]![method]!
    const answers = Object.entries(responses).filter(([status]) => status !== '4XX')
    return [requestBody?.required, ...answers.map(([status, { content }]) => [status, ...Object.keys(content ?? {})])]
  }
  expect(describe('get /api/client/export')).toEqual([undefined, ['200', 'text/csv']])
  expect(describe('get /api/report/{key}.pdf')).toEqual([undefined, ['200', 'application/pdf']])
  expect(describe('get /api/agency/logo')).toEqual([undefined, ['200', 'image/png']])
  expect(describe('get /api/files/{id}')).toEqual([undefined, ['200', 'image/*']])
  expect(describe('get /api/leads/events')).toEqual([undefined, ['200', 'text/event-stream']])
  const recording = [undefined, ['200', 'audio/*'], ['206', 'audio/*'], ['416']]
  expect(describe('get /api/recording/{id}/stream')).toEqual(recording)
  expect(describe('get /api/report-unsubscribe/{key}')).toEqual([undefined, ['302']])
  expect(describe('post /api/hooks/callrail')).toEqual([false, ['200', 'application/json']])
  const bare = operations.filter(({ operation: { responses } }) => !responses[200]?.content && !responses[204])
  expect(bare.map(({ address }) => address)).toEqual(['get /api/report-unsubscribe/{key}'])
  const untyped = operations.filter(
    ({ operation: { responses } }) => responses[200]?.content?.['application/octet-stream'],
  )
  expect(untyped.map(({ address }) => address)).toEqual([])
})
