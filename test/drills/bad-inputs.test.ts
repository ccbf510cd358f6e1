import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#app/server/parts.ts'
import { permissionFlags } from '#contract/allow.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { type CurrentUser, findCurrentUserById, findUserByToken } from '#domains/access/server/current-user.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'

/**
 * Two thousand bad inputs and more, different in each run, over every call of the contract, by those who may make it: none may get a 5xx, and none
 * that is refused may change anything. A run names its seed; `BAD_INPUTS_SEED` repeats it, and a failure is shrunk to the smallest input.
 */
const seed = Number(process.env.BAD_INPUTS_SEED ?? Date.now() % 2 ** 31)
const inputs = 2100

const app = await setUp(startApp())
const { db, pool } = app.context
const campaign = await app.make.campaign()
await app.make.lead({ campaign_id: campaign.id })
await app.make.clientSite()
await app.make.gmb()
const access = { campaigns: [campaign.id] }
const admin = await app.make.admin(access)
const people = [
  await app.make.superAdmin(),
  admin,
  await app.make.handler(access),
  await app.make.customer({ client_id: campaign.client_id }),
]
const users = await Promise.all(people.map(({ id }) => findCurrentUserById(db, id)))
/** Several, because one is refused after 120 calls a minute. */
const keys = await createKeys(8)
const keyUser = await findUserByToken(db, keys[0]!.token!)
console.info(`BAD_INPUTS_SEED=${seed}`)

type Input = { path: string; headers: Record<string, string>; body: string | Uint8Array | undefined }

const endpoints = allEndpoints.map(({ endpoint }) => endpoint)
const timesEach = Math.ceil(inputs / endpoints.length)

test('no bad input gets a 5xx or changes anything, at any call, for any user (R14)', {
  timeout: 180_000,
}, async () => {
  let before = await app.dump()
  const statuses = new Map<number, number>()
  for (const [at, endpoint] of endpoints.entries()) {
    // Only who may make a call gets further than its permission.
    const isAllowed = (user: CurrentUser | null) => endpoint.allow.guests || endpoint.allow(user!)
    const allowed = users.filter(isAllowed)
    const callers = await Promise.all(allowed.map((user) => app.as(user!))) // logging out is one of the calls
    if (isAllowed(keyUser)) callers.push(keys[at % keys.length]!)
    let taken = 0 // a random input is sometimes valid, such as a category called `+`
    const send = async (who: Caller, { path, headers, body }: Input) => {
      const answer = await who.fetch(path, {
        method: endpoint.method,
        headers,
        ...(body === undefined ? {} : { body: body as BodyInit }),
      })
      await answer.body?.cancel() // some would stream forever
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.ok && endpoint.method !== 'GET') taken += 1
      expect(answer.status, `${endpoint.method} ${path}`).toBeLessThan(500)
    }
    const by = fc.constantFrom(...callers)
    await fc.assert(fc.asyncProperty(by, badInput(endpoint), send), { seed, numRuns: timesEach })
    const after = await app.dump()
    if (taken === 0) expect(after, endpoint.address).toBe(before)
    before = after
  }
  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  const refused = [...statuses].filter(([status]) => status >= 400).reduce((sum, [, count]) => sum + count, 0)
  expect(sent).toBeGreaterThanOrEqual(2000)
  expect(refused, JSON.stringify([...statuses])).toBeGreaterThan(sent / 2) // lists ignore unknown parameters
})

// ——— callers ———

async function createKeys(count: number): Promise<Caller[]> {
  const of = await app.as(admin)
  const pages = Object.fromEntries(permissionFlags.map((flag) => [flag, 1]))
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const body = { name: 'Key', access: 'write', pages, expires_at }
  const made = await Promise.all(Array.from({ length: count }, () => of.call(apiKeysContract.create, { body })))
  await pool.query(`update api_keys set last_used_at = now() + interval '1 day'`) // its use is not written then
  return made.map((answer) => caller(app.url, answer.body.key))
}

// ——— bad inputs ———

const badText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '😀'.repeat(300),
    '1e400',
    'NaN',
    '-0',
    'null',
  ),
  fc.constantFrom(
    "' or 1=1 --",
    '%',
    '_',
    '\\',
    '#{x}',
    '{{x}}',
    '<script>',
    '../../etc/passwd',
    'http://[',
    '2026-02-30',
    '1,x',
  ),
  fc.constantFrom('x'.repeat(20_000), '9'.repeat(400), '['.repeat(5000), '0x7f', '12:99', '+', 'true'),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const badNumber = fc.oneof(
  fc.constantFrom(-1, 0, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 31) - 1),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const badValue = fc.oneof(
  badText,
  badNumber,
  fc.constantFrom(null, true, false, [], {}, [null], [[]], { id: null }, { length: 1e9 }, { toString: 1 }, [
    { id: '1' },
  ]),
  fc.array(fc.oneof(badText, badNumber), { maxLength: 5 }),
  fc.dictionary(fc.constantFrom('id', 'name', '__proto__', 'constructor', 'length', '0'), fc.oneof(badText, badNumber)),
)
const badId = fc.constantFrom(
  '0',
  '-1',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  '1e3',
  '1.5',
  '%00',
  'x',
  '%2e%2e',
  '%ff',
  "1'",
  '%F0%9F%98%80',
)

/** Returns a query or body with the call's own names and wrong values. */
function badInput(endpoint: Endpoint): fc.Arbitrary<Input> {
  const address = fc
    .tuple(...[...endpoint.path.matchAll(/:\w+/g)].map(() => badId))
    .map((ids) => endpoint.path.replace(/:\w+/g, () => ids.pop() ?? '0'))
  const input = fc.record({ address, query: badQuery(namesOf(endpoint.query)), body: badBody(endpoint) })
  return input.map(({ address, query, body }) => ({ path: `/api${address}${query}`, ...body }))
}

const badQuery = (names: string[]) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...names, 'page', 'sort', 'nonsense'),
        fc.oneof(badText, badNumber),
        fc.constantFrom('', '[]', '[0]', '[x]'),
      ),
      {
        maxLength: 5,
      },
    )
    .map(
      (pairs) =>
        `?${pairs
          .map(([name, value, more]) => `${name}${more}=${escaped(String(value))}`)
          .join('&')
          .slice(0, 30_000)}`,
    )

/** A lone surrogate cannot be written in an address, except as raw bytes. */
const escaped = (text: string) =>
  [...text].map((one) => (/\p{Cs}/u.test(one) ? '%ED%A0%80' : encodeURIComponent(one))).join('')

const json = { 'content-type': 'application/json' }

function badBody({ method, body }: Endpoint): fc.Arbitrary<Pick<Input, 'headers' | 'body'>> {
  if (method === 'GET') return fc.constant({ headers: {}, body: undefined })
  const names = namesOf(body)
  const object = fc.dictionary(fc.constantFrom(...names, '__proto__', 'constructor', 'id', 'nonsense'), badValue, {
    minKeys: 1,
    maxKeys: 6,
  })
  const text = fc.oneof(
    { weight: 6, arbitrary: object.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: badValue.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{',
        '{"a":1,"a":2}',
        '{"__proto__":{"isAdmin":true}}',
        '\u0000',
        '{"id":1e400}',
        `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
        `${'['.repeat(5000)}${']'.repeat(5000)}`,
      ),
    },
  )
  return fc.oneof(
    { weight: 8, arbitrary: text.map((sent) => ({ headers: json, body: sent })) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((sent) => ({ headers: json, body: sent })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          'text/plain',
          'multipart/form-data; boundary=x',
          'multipart/form-data',
          'x',
          'application/x-www-form-urlencoded',
        )
        .map((type) => ({
          headers: { 'content-type': type },
          body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n\u0000',
        })),
    },
  )
}

/** Returns the names of the fields that a call takes. */
function namesOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  type Schema = { properties?: Record<string, unknown>; anyOf?: Schema[]; allOf?: Schema[] }
  const names = ({ properties = {}, anyOf = [], allOf = [] }: Schema): string[] => [
    ...Object.keys(properties),
    ...[...anyOf, ...allOf].flatMap(names),
  ]
  return names(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)
}
