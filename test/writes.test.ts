import { asc, gt, sql } from 'drizzle-orm'
import type pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { handlerFlags, permissionFlags } from '#contract/allow.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { auditTable } from '#core/db/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type Caller, type Sent, setUp, startApp } from '#test/app.ts'
import { auditedTables } from '#test/audited-rows.ts'
import { until } from '#test/until.ts'
import {
  createWriteStage,
  sentStatement,
  type WriteStage,
  writeExamples,
  writesWithoutExample,
} from '#test/write-examples.ts'

/** Walks every write of the contract: each leaves an audit entry, two at once end as one after the other, no one reaches foreign rows. */
const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url } }))
const callers = [await app.as(await app.make.superAdmin()), await app.as(await app.make.superAdmin())] as const
const outsider = await app.as(await app.make.admin({ campaigns: [(await app.make.campaign()).id] }))

const writes = allEndpoints.map(({ endpoint }) => endpoint).filter(({ method }) => method !== 'GET')
const walked = writes
  .filter(({ address }) => address in writeExamples)
  .map((endpoint) => [endpoint.address, endpoint] as const)
const prepare = async (address: string) => {
  const stage = await createWriteStage(app, callers[0])
  return { stage, sent: await writeExamples[address]!(stage) }
}
const send = (who: Caller, endpoint: Endpoint, sent: Sent) => who.call({ ...endpoint, response: undefined }, sent)

test('every write has an example here, or says where it is tested', () => {
  const known = [...Object.keys(writeExamples), ...Object.values(writesWithoutExample).flat()]
  const help = 'Add each write to `writeExamples`, or to `writesWithoutExample`, of test/write-examples.ts'
  expect(known.sort(), help).toEqual(writes.map(({ address }) => address).sort())
})

/** One's own preferences: nothing that someone else sees or that anyone must be able to explain. */
const preferences = [
  'POST /user/saveColumns',
  'POST /user/saveTable',
  'POST /user/endTour',
  'PUT /user/settings',
  'PUT /user/watches',
  'POST /home/visit',
]

/** Calls whose job writes the entry once it has done what they ask: in imports. */
const auditedByJob = ['POST /imports/:id/run', 'POST /imports/:id/undo']
/** Nothing that anyone uses yet. */
const drafts = ['DELETE /imports/:id']
const withoutEntry = [...preferences, ...auditedByJob, ...drafts]

/** Makes a call, and expects an entry in the audit log, with what its row was and is. */
async function sendAudited(address: string, endpoint: Endpoint, sent: Sent) {
  const before = await readLastAuditId()
  const earlier = await keepSnapshot()
  const answer = await send(callers[0], endpoint, sent)
  expect([answer.status, answer.status < 300 ? '' : answer.body]).toEqual([expect.toBeOneOf([200, 201, 202, 204]), ''])
  const entries = await readAudit(before)
  if (withoutEntry.includes(address)) expect(entries).toEqual([])
  else expect(entries.length).toBeGreaterThan(0)
  for (const { kind, row_id, action, before, after } of entries) {
    const [was, is] = [
      await readAuditedRow(earlier, kind, row_id),
      await readAuditedRow(app.context.pool, kind, row_id),
    ]
    expect(pickColumns(before, was), `${kind}, before`).toEqual(pickColumns(was, before))
    expect(pickColumns(after, is), `${kind}, after`).toEqual(pickColumns(is, after))
    if (action !== 'changed' || !was || !is) continue
    const changed = Object.keys(was).filter((name) => was[name] !== is[name] && !unaudited.includes(name))
    expect(Object.keys(after!), kind).toEqual(expect.arrayContaining(changed))
  }
  return answer
}

/** Columns that follow from others, and those of a change that its entry has itself: when, by whom, which version. */
const unaudited = [
  ...[
    'version',
    'hours_version',
    'template_version',
    'updated_at',
    'decided_at',
    'decided_by',
    'next_check_at',
    'next_crawl_at',
  ],
  ...['facets', 'search_text', 'host', 'domain', 'cid', 'spam_mark'],
]
const secret = 'hook_key'

/** Returns a connection that sees until the end of the test what is stored now. */
async function keepSnapshot(): Promise<pg.PoolClient> {
  const client = await app.context.pool.connect()
  onTestFinished(async () => {
    await client.query('rollback')
    client.release()
  })
  await client.query('begin isolation level repeatable read')
  await client.query('select') // the first statement sets what the others see
  return client
}

type AuditedRow = Record<string, string>
async function readAuditedRow(
  connection: Pick<pg.Pool, 'query'>,
  kind: string,
  id: unknown,
): Promise<AuditedRow | undefined> {
  const table = Object.entries(auditedTables).find(([name]) => name === kind)?.[1]
  if (!table) return undefined
  const { rows } = await connection.query<{ row: Record<string, unknown> }>(
    `select to_jsonb(one) - '${secret}' as row from ${table} one where id::text = $1`,
    [String(id)],
  )
  return rows[0] && toComparable(rows[0].row)
}
/** An entry has flags as responses have them, and a rating as text. */
const toComparable = (row: Record<string, unknown>): AuditedRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value ? '1' : '0']
      if (typeof value === 'string') return [name, isInstant.test(value) ? new Date(value).toISOString() : value]
      return [name, JSON.stringify(value)]
    }),
  )
const isInstant = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+]00:00)$/
/** Returns the fields of `row` that `other` has too. */
const pickColumns = (row: object | null | undefined, other: object | null | undefined): AuditedRow =>
  Object.fromEntries(Object.entries(toComparable({ ...row })).filter(([name]) => other && name in other))

// A lead is compared field by field, a batch by how many leads it finds, a campaign by its state, a note by its text, a payment by its day,
// required second factors by their roles.
const comparesOtherwise = [
  ...['PUT /lead/:id', 'POST /lead/:id/restore', 'POST /leads/batch'],
  ...['POST /campaign/:id/archive', 'POST /campaign/:id/unarchive', 'POST /campaign/:id/update-note'],
  ...['POST /statements/:id/paid', 'PUT /access/second-factor'],
]
const versioned = walked.filter(([address, { conflict }]) => conflict && !comparesOtherwise.includes(address))

describe('a version other than the stored one is refused, a later one too: it is from before an older backup was restored', () => {
  test.each(versioned)('%s [LEAD-79]', async (address, endpoint) => {
    const { stage, sent } = await prepare(address)
    const save = (version: number) => {
      const by = endpoint.body ? { body: { ...Object(sent.body), version } } : { query: { version } }
      return send(stage.root, endpoint, { ...sent, ...by })
    }
    const before = await app.dump()
    const { status, body: answer } = await save(1000)
    expect([status, Object.keys(answer)]).toEqual([409, ['message', ...Object.keys(endpoint.conflict!)]])
    expect(answer.message).toMatch(/^Someone else (has )?changed /)
    expect(await app.dump()).toBe(before)
    const [, newer] = /"version":(\d+)/.exec(JSON.stringify(answer))!
    expect((await save(Number(newer))).status, 'a save of what the refusal has shown').toBeLessThan(300)
  })
})

/** A call, and another one that takes away the row that the first is about, or that it chooses. */
type Removal = [call: string, removal: string, sent?: (stage: WriteStage) => Promise<[Sent, Sent]>]
const removals: Removal[] = [
  ['PUT /campaign-changelog/:id', 'DELETE /campaign-changelog/:id'],
  ['PUT /campaign-changelog/:id', 'DELETE /admin/admins/:id'],
  ['POST /activity-log/:id/toggle-status', 'DELETE /campaign-changelog/:id'],
  ['PUT /campaign-gmb/:id', 'DELETE /campaign-gmb/:id'],
  ['POST /campaign-gmb/:id/toggle-client-owned', 'DELETE /campaign-gmb/:id'],
  ['PUT /clientsite/:id', 'DELETE /clientsite/:id'],
  ['POST /clientsite/:id/hook', 'DELETE /clientsite/:id'],
  ['POST /intakes', 'DELETE /clientsite/:id'],
  ['POST /lead/create', 'DELETE /clientsite/:id'],
  ['POST /admin/admins/:id', 'DELETE /admin/admins/:id'],
  ['POST /admin/admins/:id/invite', 'DELETE /admin/admins/:id'],
  ['PATCH /admin/admins/:id/move-to-lead-handlers', 'DELETE /admin/admins/:id'],
  ['PATCH /leads-handlers/:id', 'DELETE /leads-handlers/:id'],
  ['PATCH /leads-handlers/:id/move-to-admins', 'DELETE /leads-handlers/:id'],
  ['PUT /lead/:id', 'POST /erasures'],
  ['POST /lead/:id/archive', 'POST /erasures'],
  ['PUT /campaign/:id', 'POST /campaign/:id/archive'],
  ['PUT /campaign/:id/terms', 'POST /campaign/:id/archive'],
  ['POST /campaign/:id/working-hours', 'POST /campaign/:id/archive'],
  ['POST /client/:id/reports', 'POST /client/status'],
  [
    'PUT /networksite/:id',
    'DELETE /networkcategory/:id',
    async (stage) => {
      const { id: category_id } = await stage.created('/networkcategory', { name: `Free ${stage.number}` })
      const { params, body } = await writeExamples['PUT /networksite/:id']!(stage)
      return [{ params: params!, body: { ...(body as object), category_id } }, { params: { id: category_id } }]
    },
  ],
  [
    'PUT /campaign/:id',
    'DELETE /campaigncategory/:id',
    async (stage) => {
      const { id } = await stage.created('/campaigncategory', { name: `Free ${stage.number}` })
      const { params, body } = await writeExamples['PUT /campaign/:id']!(stage)
      return [{ params: params!, body: { ...(body as object), categories: [id] } }, { params: { id } }]
    },
  ],
  [
    'POST /campaign',
    'DELETE /client/:id',
    async (stage) => {
      const { params } = await writeExamples['DELETE /client/:id']!(stage)
      const { body } = await writeExamples['POST /campaign']!(stage)
      return [{ body: { ...(body as object), client_id: params!.id } }, { params: params! }]
    },
  ],
  [
    'POST /campaign-changelog',
    'DELETE /team/:id',
    async (stage) => {
      const { id } = await stage.created('/team', { name: `Free ${stage.number}` })
      const { body } = await writeExamples['POST /campaign-changelog']!(stage)
      return [{ body: { ...(body as object), campaign_ids: [`team-${id}`] } }, { params: { id } }]
    },
  ],
  [
    'POST /moves',
    'DELETE /connections/:id',
    async (stage) => {
      const { params } = await writeExamples['DELETE /connections/:id']!(stage)
      return [{ body: { connections: [params!.id] } }, { params: params! }]
    },
  ],
  [
    'POST /statements/:id/paid',
    'DELETE /statements/:id/key',
    async (stage) => {
      const { params, body } = await writeExamples['POST /statements/:id/paid']!(stage)
      return [{ params: params!, body }, { params: params! }]
    },
  ],
  [
    'POST /statements/:id/mail',
    'DELETE /statements/:id/key',
    async (stage) => {
      const { params, body } = await writeExamples['POST /statements/:id/mail']!(stage)
      return [{ params: params!, body }, { params: params! }]
    },
  ],
]

describe('a call and the removal of its row at once end as one after the other', () => {
  test.each(removals)('%s, and %s', async (call, removal, make) => {
    const prepareBoth = async () => {
      const stage = await createWriteStage(app, callers[0])
      const sent = await (make?.(stage) ?? Promise.all([writeExamples[call]!(stage), writeExamples[removal]!(stage)]))
      return [() => run(callers[0], call, sent[0]), () => run(callers[1], removal, sent[1])] as const
    }
    const run = async (who: Caller, address: string, sent: Sent) =>
      (await send(who, writes.find((one) => one.address === address)!, sent)).status
    const first = await prepareBoth()
    const callFirst = [await first[0](), await first[1]()]
    const second = await prepareBoth()
    const [removed, called] = [await second[1](), await second[0]()]
    const rush = await prepareBoth()
    const release = await holdWrites()
    const both = [rush[1](), rush[0]()]
    await until(async () => (await countWaiting()) === both.length || (await areSettled(both)))
    await release()
    const [removedToo, calledToo] = await Promise.all(both)
    expect([callFirst, [called, removed]]).toContainEqual([calledToo, removedToo])
  })
})

/** Writes of an admin that no campaign limits: the agency's own lists, and what belongs to the person. */
const agencyWide = [
  ...preferences,
  'POST /keys',
  'POST /views',
  'POST /webhooks',
  'POST /admin/admins',
  'POST /leads-handlers',
  'POST /campaigncategory',
  'PUT /campaigncategory/:id',
  'PUT /campaigncategory/:id/template',
  'DELETE /campaigncategory/:id',
  'POST /client',
  'DELETE /client/:id', // of the example: it has no campaign yet
  'POST /networkcategory',
  'PUT /networkcategory/:id',
  'DELETE /networkcategory/:id',
  'POST /networksite',
  'PUT /networksite/:id',
  'DELETE /networksite/:id',
  'POST /leads/keywords',
  'POST /leads/spammers',
  'DELETE /leads/spammers/:id',
  'POST /rate/:leadId',
  'POST /leads/batch', // skips the leads, and says so: leads/batch
  'POST /statements/send-batch', // sends what the caller sees: billing/statements
]

/** An admin of another campaign reaches nothing of this one, by its id or in a body. */
async function expectClosed(endpoint: Endpoint, sent: Sent) {
  const before = await app.dump()
  const { status, body } = await send(outsider, endpoint, sent)
  expect(status, 'an admin of another campaign').toBeOneOf([403, 404, 422])
  // That a person exists is known to all admins.
  if (sent.params?.id && !endpoint.path.startsWith('/admin/')) {
    const unknown = await send(outsider, endpoint, { ...sent, params: { ...sent.params, id: 999_999 } })
    expect([status, body], 'as for a row that does not exist').toEqual([unknown.status, unknown.body])
  }
  expect(await app.dump(), 'after a call by an admin of another campaign').toBe(before)
}

/** What the agency has once: a second example finds it as the first has left it. */
const agencyHasOne = ['PUT /access/second-factor', 'PUT /home/steps/:key']

// One test for each, because the rows of an example take longer than its calls.
describe.each([
  ['leaves an audit entry with what its row was and is, twice at once leaves what it leaves in turn', true],
  ['does so too, and changes nothing for an admin of another campaign, by an id or in a body', false],
])('a write %s', (_, isWide) => {
  test.each(walked.filter(([address]) => agencyWide.includes(address) === isWide))('%s', async (address, endpoint) => {
    const [turns, rush] = [await prepare(address), await prepare(address)]
    if (!isWide) await expectClosed(endpoint, turns.sent)
    const audited = () => sendAudited(address, endpoint, turns.sent)
    if (agencyHasOne.includes(address)) await audited()
    const inTurn = await observe(async () => [
      await (agencyHasOne.includes(address) ? send(callers[0], endpoint, turns.sent) : audited()),
      await send(callers[1], endpoint, turns.sent),
    ])
    const atOnce = await observe(async () => {
      const release = await holdWrites()
      const both = callers.map((caller) => send(caller, endpoint, rush.sent))
      await until(async () => (await countWaiting()) === both.length || (await areSettled(both)))
      await release()
      return Promise.all(both)
    })
    expect(atOnce).toEqual(inTurn)
  })
})

describe('nothing of another campaign is read', async () => {
  const untold = ['GET /leads/events', 'GET /user/sessions'] // a stream, and when a session was last used
  const reads = allEndpoints
    .map(({ endpoint }) => endpoint)
    .filter(({ method, allow, address }) => method === 'GET' && !allow.guests && !untold.includes(address))
  const own = await createWriteStage(app, callers[0])
  await own.dispute()
  await own.signal()
  await own.mail()
  const inScope = { campaigns: [own.campaign.id] }
  const strangers = {
    admin: await app.as(await app.make.admin({ ...inScope, permissions: [...permissionFlags] })),
    'leads handler': await app.as(await app.make.handler({ ...inScope, permissions: [...handlerFlags] })),
    customer: await app.as(own.customer),
  }
  const read = async (who: Caller, path: string) => {
    const answer = await who.fetch(`/api${path}`)
    return { status: answer.status, body: await answer.text() }
  }

  /** Reads that name the row by its id, and how to make one. The others are of the agency, or of oneself. */
  const foreignRows: [path: RegExp, make: (stage: WriteStage) => Promise<{ id: number }> | { id: number }][] = [
    [/^\/campaigns?\/:id|^\/lead\/chart\/:id/, ({ campaign }) => campaign],
    [
      /^\/client\/:id/,
      async ({ created, client }) => {
        await created(`/client/${client.id}/report-schedule`, { every: 'week', day: 1, hour: 8 }, 'PUT')
        return client
      },
    ],
    [/^\/clientsite\/:id/, ({ site }) => site],
    [/^\/campaign-gmb\/:id/, ({ gmb }) => gmb],
    [/^\/campaign-changelog\/:id/, ({ item }) => item],
    [/^\/lead\/:id/, ({ lead }) => lead],
    [/^\/leads\/batch\/:id/, ({ created, lead }) => created('/leads/batch', { ids: [lead.id], action: 'unverify' })],
    [/^\/intakes\/:id/, ({ created, site }) => created('/intakes', { name: 'Any', clientsite_id: site.id })],
    [/^\/signals\/:id/, (stage) => stage.signal()],
    [/^\/statements\/:id/, async (stage) => ({ id: await sentStatement(stage) })],
    [
      /^\/webhooks\/:id/,
      ({ created }) => created('/webhooks', { url: 'https://hooks.example/x', events: ['lead.created'] }),
    ],
    [
      /^\/user\/reports\/:id/,
      ({ created, client }) => created(`/client/${client.id}/reports`, { period: 'month', from: '2026-10-01' }),
    ],
  ]
  const ofAgency = [
    /^\/(admin\/admins|leads-handlers|users|campaigncategory|networksite|connections|imports|moves|gmb\/locations)\/:id/,
    /^\/files\/:id/, // by a key: activity/files
    /^\/recording\/:id/, // of a provider: leads/recordings
  ]
  const byId = reads.filter(({ path }) => path.includes('/:') && !ofAgency.some((one) => one.test(path)))
  const queries: Record<string, string> = { 'GET /campaign/:id/effect': '?kind=campaign&row=1' }

  test.each(byId.map((endpoint) => [endpoint.address, endpoint] as const))('%s', async (address, endpoint) => {
    const [, make] = foreignRows.find(([path]) => path.test(endpoint.path))!
    const { id } = await make(await createWriteStage(app, callers[0]))
    const path = endpoint.path.replace(/:\w+/g, String(id)) + (queries[address] ?? '')
    const unknown = endpoint.path.replace(/:\w+/g, '999999') + (queries[address] ?? '')
    const seen = await read(callers[0], path)
    if (!endpoint.path.startsWith('/user/')) expect(seen.status, seen.body).toBe(200)
    for (const [role, who] of Object.entries(strangers)) {
      const { status, body } = await read(who, path)
      expect([403, 404], `${role}: ${body}`).toContain(status)
      expect({ status, body }, role).toEqual(await read(who, unknown))
    }
  })

  /** Everyone's: people, and the categories that the examples make. */
  const shared = ['GET /admin/admins', 'GET /campaigncategory']
  /** Of the agency, and seen by all. */
  const notOfCampaigns = ['PUT /access/second-factor', 'PUT /agency', 'POST /team', 'PUT /team/:id', 'DELETE /team/:id']

  test('no list, count or file changes by what is written there', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }) // forecasts change with the minutes
    onTestFinished(() => void vi.useRealTimers())
    const lists = reads.filter(({ path, address }) => !path.includes('/:') && !shared.includes(address))
    const needed: Record<string, string> = {
      'GET /campaign-gmb/map': '?upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180',
      'GET /views': '?table=leads',
    }
    const readAll = async () => {
      const answers: Record<string, unknown> = {}
      for (const [role, who] of Object.entries(strangers))
        for (const { address, path } of lists)
          answers[`${role}: ${address}`] = await read(who, path + (needed[address] ?? ''))
      return answers
    }
    const before = await readAll()
    for (const [address, endpoint] of walked) {
      if (agencyWide.includes(address) || notOfCampaigns.includes(address)) continue
      const { sent } = await prepare(address)
      await send(callers[0], endpoint, sent)
    }
    expect(await readAll()).toEqual(before)
  })
})

/** Returns the statuses and the audit entries of some calls, without what differs between rows and callers. */
async function observe(run: () => Promise<{ status: number }[]>) {
  const before = await readLastAuditId()
  const statuses = (await run()).map(({ status }) => status).sort()
  const entries = (await readAudit(before)).map(({ kind, action, before, after }) => ({
    kind,
    action,
    ...shape({ before, after }),
  }))
  return { statuses, entries: entries.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }
}
/** Ids, names and amounts differ between two stages, so what is compared of a change is which fields it has, and its flags. */
const shape = (change: object): object =>
  JSON.parse(
    JSON.stringify(change, (key, value) =>
      typeof value === 'string' || (typeof value === 'number' && (/(id|_by|_of)$|^\d/.test(key) || value > 1))
        ? typeof value
        : value,
    ),
  )

const readLastAuditId = async () =>
  (await app.context.db.select({ id: sql<number>`coalesce(max(${auditTable.id}), 0)::int` }).from(auditTable))[0]!.id
const readAudit = (after: number) =>
  app.context.db.select().from(auditTable).where(gt(auditTable.id, after)).orderBy(asc(auditTable.id))

/**
 * Lets every transaction read, and makes it wait where it locks or writes a row: callers that read before they lock have all read
 * the same old row then.
 */
async function holdWrites(): Promise<() => Promise<void>> {
  const client = await app.context.pool.connect()
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not in ('sessions', 'heartbeat', 'sign_in_failures', 'api_keys')`,
  )
  await client.query('begin')
  await client.query(`lock table ${rows.map(({ name }) => name).join(', ')} in exclusive mode`)
  return async () => {
    await client.query('rollback')
    client.release()
  }
}
const countWaiting = async () =>
  Number(
    (
      await app.context.pool.query(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows[0].count,
  )
async function areSettled(calls: Promise<unknown>[]): Promise<boolean> {
  let settled = false
  void Promise.allSettled(calls).then(() => {
    settled = true
  })
  await new Promise(setImmediate) // a race with a settled promise would be lost by whatever needs more than one step
  return settled
}
