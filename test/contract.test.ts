import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#app/server/parts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { setUp, startApp } from '#test/app.ts'

/**
 * Walks every call of the contract. What a guest, or a person without the permission, may not do is refused before the
 * body is read, and leaves every table as it was.
 */
const app = await setUp(startApp())
const empty = {
  handler: await app.as(await app.make.handler({ permissions: [] })),
  admin: await app.as(await app.make.admin({ permissions: [] })),
  customer: await app.as(await app.make.customer()),
}

/** A body that may be left out is a choice between its object and nothing. */
function toJsonSchema(schema: z.ZodType) {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json.anyOf?.find((one) => one.properties) ?? json
}

const endpoints = allEndpoints.map((call) => call.endpoint)
const named = (list: Endpoint[]) => list.map((endpoint) => [endpoint.address, endpoint] as const)
const closed = named(endpoints.filter((endpoint) => !endpoint.allow.guests))
const nobody = { isAdmin: false, isSuperAdmin: false, isCustomer: false, permissions: {} as never }
const flagged = named(endpoints.filter((endpoint) => !endpoint.allow.guests && !endpoint.allow(nobody)))
const params = { id: 1, leadId: 1 }
/** A body that no call takes: had it been read, the answer would be 422. */
const body = { nonsense: '\u0000' }
const sent = (endpoint: Endpoint) => ({ params, ...(endpoint.method === 'GET' ? {} : { body }) })

test('every address exists once', () => {
  const addresses = endpoints.map((endpoint) => endpoint.address)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test('every call has a rule', () => {
  for (const endpoint of endpoints)
    expect(endpoint.allow.words ?? endpoint.address, endpoint.address).toBeTypeOf('string')
})

test('every call that takes a version declares the body of its 409', () => {
  const takesVersion = ({ body, query }: Endpoint) =>
    [body, query].some((schema) => schema && 'version' in (toJsonSchema(schema).properties ?? {}))
  // One form makes a listing and changes it; what is made has no version to be stale.
  const without = endpoints.filter((one) => takesVersion(one) && !one.conflict).map(({ address }) => address)
  expect(without).toEqual(['POST /campaign-gmb'])
  for (const { address, conflict } of endpoints) if (conflict) expect(Object.keys(conflict), address).toHaveLength(1)
})

test('every read names what it shows, and every write what it changes', () => {
  const isNamed = ({ method, reads, changes }: Endpoint) =>
    method === 'GET' ? reads?.length && !changes : Boolean(reads?.length) !== Boolean(changes)
  expect(endpoints.filter((one) => !one.streams && !isNamed(one)).map(({ address }) => address)).toEqual([])
})

test('what a write changes is shown by some read, and what a read shows is changed by some write', () => {
  const shown = new Set(endpoints.flatMap(({ reads = [] }) => reads))
  const changed = new Set(endpoints.flatMap(({ changes = [] }) => changes))
  expect([...changed].filter((name) => !shown.has(name))).toEqual([])
  const withoutWrites = ['audit', 'ip']
  expect([...shown].filter((name) => !changed.has(name)).toSorted()).toEqual(withoutWrites)
})

test('a call that names a kind of row returns it, and a write that returns a row of a list names it', () => {
  const getRowSchema = ({ method, list, response }: Endpoint) => {
    if (list) return (list as { row: z.ZodType }).row // set by pagedQuery
    return method === 'GET' && response instanceof z.ZodArray ? (response.element as z.ZodType) : response // zod's own base type
  }
  const ofRows = endpoints.filter(({ row, response }) => row && response)
  for (const kind of new Set(ofRows.map(({ row }) => row))) {
    const same = ofRows.filter(({ row }) => row === kind)
    const [first, ...others] = same.map((one) => toJsonSchema(getRowSchema(one)!))
    for (const other of others) expect(other, kind).toEqual(first)
  }
  const kinds = new Map(ofRows.map((one) => [getRowSchema(one), one.row]))
  const writes = endpoints.filter(({ method, response }) => method !== 'GET' && response)
  for (const { address, row, response } of writes) expect(row, address).toBe(kinds.get(response))
})

describe('a guest', () => {
  test.each(closed)('is refused %s', async (_, endpoint) => {
    const before = await app.dump()
    const { status, body: answer } = await app.guest.call(endpoint, sent(endpoint))
    expect([status, answer]).toEqual([401, { message: 'Please sign in' }])
    expect(await app.dump()).toBe(before)
  })
})

describe('a person without the page', () => {
  test.each(flagged)('is refused %s [PERM-01]', async (_, endpoint) => {
    const before = await app.dump()
    for (const person of [empty.handler, empty.admin]) {
      const { status, body: answer } = await person.call(endpoint, sent(endpoint))
      expect([status, answer]).toEqual([403, { message: 'You are not allowed to do this' }])
    }
    expect(await app.dump()).toBe(before)
  })
})

test('a customer has only the leads pages', async () => {
  const open = endpoints.filter((endpoint) =>
    endpoint.allow({ ...nobody, permissions: { leads: true, archivedleads: true } as never }),
  )
  for (const endpoint of endpoints.filter((one) => !open.includes(one)))
    expect((await empty.customer.call(endpoint, sent(endpoint))).status, endpoint.address).toBe(403)
})

test('no schema throws, whatever the input, even without any (R14)', () => {
  const values = [undefined, null, true, 0, '', 'text', [], [null], {}, { id: null }]
  for (const { address, query, body } of endpoints)
    for (const schema of [query, body])
      for (const value of values)
        expect(() => schema?.safeParse(value), `${address} ${JSON.stringify(value)}`).not.toThrow()
})
