import { expect, test } from 'vitest'
import { allEndpoints } from '#app/server/routes.ts'
import { createOpenApi } from '#core/http/openapi.ts'

/** The rules of `spectral:oas` and of Redocly that our description broke once. CONTRIBUTING.md says how both programs are asked. */
const api = createOpenApi(allEndpoints, 'https://leadline.example')
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ address: `${method} ${path}`, path, operation })),
)

test('each operation has a summary, a description, tags that are declared, and an answer of refusal', () => {
  const declared = new Set(api.tags.map(({ name }) => name))
  const incomplete = operations.filter(
    ({ operation: { summary, description, tags, responses } }) =>
      !summary || !description || tags.length === 0 || tags.some((tag) => !declared.has(tag)) || !responses['4XX'],
  )
  expect(incomplete.map(({ address }) => address)).toEqual([])
  expect(operations.length).toBe(allEndpoints.length)
})

test('operation ids are unique, and no two paths differ only by the name of a parameter', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(ids.length).toBe(new Set(ids).size)
  const shapes = Object.keys(api.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
  expect(shapes.length).toBe(new Set(shapes).size)
})

test('each parameter of a path is described by the name that the path has', () => {
  const wrong = operations.filter(({ path, operation }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
    return JSON.stringify(named) !== JSON.stringify(described)
  })
  expect(wrong.map(({ address }) => address)).toEqual([])
})

test('arrays say what is in them, and a choice that takes anything is none', () => {
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
