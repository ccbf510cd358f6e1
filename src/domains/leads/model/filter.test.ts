import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { findCurrentUserById } from '#domains/access/server/current-user.ts'
import { type App, setUp, startApp } from '#test/app.ts'
import { leadsContract } from '../contract.ts'
import { buildLeadMatch } from './filter.ts'
import { toPhoneKey } from './phone-key.ts'
import { leadsTable } from './schema.ts'

/** Each test has its own campaign. */
let campaign_id: number
let made: Map<string, number>

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  campaign_id = (await app.make.campaign()).id
  made = new Map()
})

type Values = Parameters<App['make']['lead']>[0]
const lead = async (name: string, values: Values = {}) => {
  const row = await app.make.lead({
    campaign_id,
    lead_name: name,
    ...values,
    phone_key: toPhoneKey(values?.lead_phone ?? null),
  })
  made.set(name, row.id)
  return row
}
/** Returns the names of the leads that match, sorted. */
async function found(query: Record<string, unknown>, caller = superAdmin): Promise<string[]> {
  const { status, body } = await caller.call(leadsContract.list, { query: { campaign_ids: campaign_id, ...query } })
  expect(status).toBe(200)
  const names: string[] = body.data.map(({ lead_name }: { lead_name: string }) => lead_name)
  expect(body.meta.total).toBe(names.length)
  return names.sort()
}

// ——— each filter alone ———

test('leads are found by the origin of their rating, and a badge counts no others', async () => {
  for (const via of ['link', 'page', 'staff'] as const) await lead(via, { rating: 4, rating_via: via })
  await lead('unrated')
  for (const via of ['link', 'page', 'staff']) expect(await found({ rating_via: via })).toEqual([via])
  const { body } = await superAdmin.call(leadsContract.statistic, {
    query: { campaign_ids: campaign_id, rating_via: 'page' },
  })
  expect([body.averageRating, body.notRatedCount]).toEqual([4, 0])
  const wrong = await superAdmin.call(leadsContract.list, { query: { rating_via: 'guess' } })
  expect(wrong.status).toBe(422)
})

test('a queue has the leads that wait for a verdict, and its total follows the other filters [DESK-02]', async () => {
  await lead('form', { lead_type: 'Form' })
  await lead('voicemail', { lead_type: 'Call', tags: ['Voicemail', 'After Hours'] })
  await lead('verified', { confirmed: true })
  await lead('hidden', { hide: true })
  await lead('spam', { tags: ['Spam'] })
  await lead('twice', { tags: ['Voicemail', 'Duplicate'] })
  await lead('archived', { archived: true })
  await lead('missed', { lead_type: 'Call', tags: ['Missed Call'] })
  await lead('missed at night', { lead_type: 'Form', tags: ['Auto Missed Call', 'After Hours', 'Voicemail'] })
  await lead('missed and hidden', { tags: ['Missed Call'], hide: true })
  await lead('missed and verified', { tags: ['Missed Call'], confirmed: true })
  expect(await found({ queue: 'review' })).toEqual(['form', 'voicemail'])
  expect(await found({ queue: 'review', lead_type: 'Call' })).toEqual(['voicemail'])
  expect(await found({ queue: 'review', lead_search: 'voice' })).toEqual(['voicemail'])
  expect(await found({ queue: 'missed' })).toEqual(['missed', 'missed at night'])
  expect(await found({ queue: 'missed', lead_type: 'Call' })).toEqual(['missed'])
  expect(await found({})).toHaveLength(10)
  const { body } = await superAdmin.call(leadsContract.statistic, {
    query: { campaign_ids: campaign_id, queue: 'review' },
  })
  expect([body.countByType, body.voiceMailCount, body.confirmedCount]).toEqual([{ Form: 1, Call: 1 }, 1, 0])
})

test('the queues are counted under the filters that are set, together with all leads [DESK-02]', async () => {
  await lead('form', { lead_type: 'Form' })
  await lead('call', { lead_type: 'Call', notes: 'asked twice' })
  await lead('missed', { lead_type: 'Call', tags: ['Missed Call'] })
  await lead('verified', { lead_type: 'Call', confirmed: true })
  const counts = async (query: object) =>
    (await superAdmin.call(leadsContract.queues, { query: { campaign_ids: campaign_id, ...query } })).body
  expect(await counts({})).toEqual({ review: 2, missed: 1, all: 4 })
  expect(await counts({ lead_type: 'Call' })).toEqual({ review: 1, missed: 1, all: 3 })
  expect(await counts({ lead_type: 'Call', queue: 'missed' })).toEqual({ review: 1, missed: 1, all: 3 })
  expect(await counts({ lead_search: 'twice' })).toEqual({ review: 1, missed: 0, all: 1 })
  expect(await counts({ date_to: '2001-01-01' })).toEqual({ review: 0, missed: 0, all: 0 })
})

test('sums count the queue of missed calls without the hidden ones [DESK-02]', async () => {
  const day = '2020-01-15'
  const at = { occurred_at: new Date(`${day}T12:00:00Z`), lead_type: 'Call' as const }
  await lead('missed', { ...at, tags: ['Missed Call'] })
  await lead('missed and hidden', { ...at, tags: ['Missed Call'], hide: true })
  await lead('answered', at)
  const january = { date_from: '2020-01-01', date_to: '2020-01-31' }
  expect(await found({ ...january, queue: 'missed' })).toEqual(['missed'])
  expect(await found({ ...january, missed: 1 })).toEqual(['missed', 'missed and hidden'])
})

test('handlers have the queues of their campaigns, clients have none [DESK-02]', async () => {
  await lead('waiting')
  const handler = await app.as(await app.make.handler({ campaigns: [campaign_id] }))
  expect(await found({ queue: 'review' }, handler)).toEqual(['waiting'])
  const client = await app.as(await app.make.customer())
  expect((await client.call(leadsContract.queues, { query: {} })).status).toBe(403)
  for (const call of [leadsContract.list, leadsContract.statistic]) {
    const refused = await client.call(call, { query: { queue: 'review' } })
    expect([refused.status, refused.body.errors]).toEqual([422, { queue: ['Not available to you'] }])
  }
})

test.each(['review', 'missed'] as const)(
  'the page and the count of the queue %s come from its own index [DESK-02]',
  async (queue) => {
    const me = (await findCurrentUserById(app.context.db, (await app.make.superAdmin()).id))!
    const { where } = buildLeadMatch(me, { queue, lead_type: 'Call' }, { archived: false, zone: 'UTC' })
    const latest = sql`order by ${leadsTable.occurred_at} desc, ${leadsTable.id} desc limit 50`
    const plans = app.context.db.transaction(async (tx) => {
      // With a handful of leads the planner may pick any other index.
      await tx.execute(sql`drop index leads_list, leads_archive, leads_site, leads_campaign, leads_counted`)
      await tx.execute(sql`set local enable_seqscan = off`)
      await tx.execute(sql`set local enable_bitmapscan = off`)
      const page = await tx.execute(sql`explain select ${leadsTable.id} from ${leadsTable} where ${where} ${latest}`)
      const count = await tx.execute(sql`explain select count(*) from ${leadsTable} where ${where}`)
      throw new Error([...page.rows, ...count.rows].map((row) => row['QUERY PLAN']).join('\n'))
    })
    const onlyIndex = `Index Only Scan using leads_${queue} on leads`
    await expect(plans).rejects.toThrow(
      new RegExp(`^Limit .*\\n\\s+->  ${onlyIndex}[^]*Aggregate .*\\n\\s+->  ${onlyIndex}`),
    )
  },
)

test('each radio finds exactly its own leads [LEAD-55]', async () => {
  await lead('form', { lead_type: 'Form', source: 'Facebook', client_progress: 2 })
  await lead('answered', { lead_type: 'Call', answered: true, source: 'Google Paid', client_progress: 1 })
  await lead('missed', { lead_type: 'Call', answered: false, duration: 60, tags: ['Missed Call'] })
  await lead('abandoned', { lead_type: 'Call', answered: false, duration: 3, source: 'Bing', client_progress: 5 })
  expect(await found({ lead_type: 'Form' })).toEqual(['form'])
  expect(await found({ lead_type: 'Call' })).toEqual(['abandoned', 'answered', 'missed'])
  expect(await found({ answering_status: 'Answered' })).toEqual(['answered'])
  expect(await found({ answering_status: 'Missed' })).toEqual(['missed'])
  expect(await found({ answering_status: 'Abandoned' })).toEqual(['abandoned'])
  expect(await found({ answering_status: 'Unanswered' })).toEqual([])
  expect(await found({ client_progress: 1 })).toEqual(['answered'])
  expect(await found({ client_progress: 5 })).toEqual(['abandoned'])
  expect(await found({ source: 'Facebook' })).toEqual(['form'])
  expect(await found({ source: 'Google Paid' })).toEqual(['answered'])
})

test('each checkbox finds exactly its own leads [LEAD-55, LEAD-76]', async () => {
  await lead('plain')
  await lead('verified', { confirmed: true, company_name: 'Verified' })
  await lead('tagged', { tags: ['Voicemail'], client_notes: 'said so' })
  await lead('issues', { tags: ['Voicemail Issues'], first_call: true, client_notes: 'said so' })
  await lead('hidden', { hide: true, rating: 3 })
  await lead('won', { client_progress: 1, client_value: 10, client_profit: 5 })
  await lead('lost', { client_progress: 3, client_value: 0, client_profit: 0 })
  const everyone = ['hidden', 'issues', 'lost', 'plain', 'tagged', 'verified', 'won']
  expect(await found({ confirmed: 1 })).toEqual(['verified'])
  expect(await found({ unmarked: 1 })).toEqual(['lost', 'plain', 'won'])
  expect(await found({ first_call: 1 })).toEqual(['issues'])
  expect(await found({ voicemail: 1 })).toEqual(['tagged'])
  expect(await found({ voicemail_issues: 1 })).toEqual(['issues'])
  expect(await found({ value: 1 })).toEqual(['lost', 'won'])
  expect(await found({ profit: 1 })).toEqual(['lost', 'won'])
  expect(await found({ won_value: 1 })).toEqual(['won'])
  expect(await found({ won_profit: 1 })).toEqual(['won'])
  expect(await found({ rating: 1 })).toEqual(['hidden'])
  expect(await found({ no_feedback: 1 })).toEqual(['plain'])
  expect(await found({ not_rated: 1 })).toEqual(everyone.filter((name) => name !== 'hidden'))
  for (const unset of ['', '0']) expect(await found({ confirmed: unset })).toEqual(everyone)
})

test('a lead is found by any of the tags [LEAD-55]', async () => {
  await lead('spam', { tags: ['Spam', 'Other'] })
  await lead('late', { tags: ['After Hours'] })
  await lead('plain')
  expect(await found({ tags: 'Spam' })).toEqual(['spam'])
  expect(await found({ tags: 'Other,After Hours' })).toEqual(['late', 'spam'])
  expect(await found({ tags: '' })).toEqual(['late', 'plain', 'spam'])
})

test('campaigns and their categories narrow the list, alone and together [LEAD-55]', async () => {
  const category = (await app.make.category()).id
  const [inside, outside] = [await app.make.campaign({ categories: [category] }), await app.make.campaign()]
  const mine = `${inside.id},${outside.id}`
  await lead('inside', { campaign_id: inside.id })
  await lead('outside', { campaign_id: outside.id })
  expect(await found({ campaign_ids: mine })).toEqual(['inside', 'outside'])
  expect(await found({ campaign_ids: outside.id })).toEqual(['outside'])
  expect(await found({ campaign_ids: mine, category_id: category })).toEqual(['inside'])
  expect(await found({ campaign_ids: outside.id, category_id: category })).toEqual([])
  const { body } = await superAdmin.call(leadsContract.list, { query: { category_id: category } })
  expect(body.meta.total).toBe(1)
})

test('arrays come with commas, as repeated keys or with brackets [LEAD-53]', async () => {
  await lead('one', { tags: ['Spam'] })
  await lead('two', { tags: ['Other'] })
  for (const tags of ['tags=Spam,Other', 'tags=Spam&tags=Other', 'tags[]=Spam&tags[]=Other']) {
    const answer = await superAdmin.fetch(`/api/leads/list/data?campaign_ids=${campaign_id}&${tags}`)
    expect(((await answer.json()) as { meta: object }).meta).toEqual({ total: 2 })
  }
})

test('the list has the leads that are not archived, the archive has the rest [LEAD-53, LEAD-54]', async () => {
  await lead('active')
  const { id } = await lead('archived', { archived: true })
  expect(await found({})).toEqual(['active'])
  const { body } = await superAdmin.call(leadsContract.archived, { query: { campaign_ids: campaign_id } })
  expect(body).toMatchObject({ data: [{ id, archived: 1 }], meta: { total: 1 } })
})

// ——— days ———

test('days run from midnight to midnight in the agency’s zone, also when the clocks change [LEAD-55, LEAD-78]', async () => {
  const at = (name: string, instant: string) => lead(name, { occurred_at: new Date(instant) })
  await at('late on the 7th', '2026-03-08T04:59:59Z')
  await at('early on the 8th', '2026-03-08T05:00:00Z')
  await at('late on the 8th', '2026-03-09T03:59:59Z') // the day has 23 hours
  await at('early on the 9th', '2026-03-09T04:00:00Z')
  const day = { date_from: '2026-03-08', date_to: '2026-03-08' }
  expect(await found(day)).toEqual(['early on the 8th', 'late on the 8th'])
  expect(await found({ dateRange: '2026-03-08,2026-03-08' })).toEqual(['early on the 8th', 'late on the 8th'])
  expect(await found({ date_to: '2026-03-07' })).toEqual(['late on the 7th'])
  expect(await found({ date_from: '2026-03-09' })).toEqual(['early on the 9th'])
  expect(await found({ dateRange: '2026-03-01,2026-03-31', ...day })).toEqual(['early on the 8th', 'late on the 8th'])
  expect(await found({ date_from: '2026-03-09', date_to: '2026-03-08' })).toEqual([])
})

test('a search finds the leads of its days, over any number of weeks [LEAD-55, LEAD-72]', async () => {
  const at = (name: string, instant: string) =>
    lead(name, { occurred_at: new Date(instant), message: 'a leak in the roof' })
  // The weeks of the index start on Thursdays at midnight UTC; March 5, 2026 is a Thursday.
  await at('before the week', '2026-03-04T23:59:59.999Z')
  await at('first of the week', '2026-03-05T00:00:00Z')
  await at('same day, later', '2026-03-05T04:59:59Z')
  await at('a year before', '2025-03-05T12:00:00Z')
  await at('three years before', '2023-03-05T12:00:00Z')
  await lead('dry', { occurred_at: new Date('2026-03-05T01:00:00Z') })
  const days = (date_from: string, date_to: string) => found({ lead_search: 'leak roof', date_from, date_to })
  expect(await days('2026-03-04', '2026-03-04')).toEqual(['before the week', 'first of the week', 'same day, later'])
  expect(await days('2026-03-05', '2026-03-05')).toEqual([])
  expect(await days('2025-03-05', '2026-03-04')).toHaveLength(4)
  expect(await days('2023-03-05', '2026-03-04')).toHaveLength(5)
  expect(await found({ lead_search: 'leak', date_from: '2026-03-04' })).toHaveLength(3)
  expect(await found({ lead_search: 'leak', date_to: '2025-12-31' })).toEqual(['a year before', 'three years before'])
  expect(await days('2026-03-05', '2026-03-04')).toEqual([])
  expect(await found({ lead_search: 'a', date_from: '2026-03-04', date_to: '2026-03-04' })).toHaveLength(3)
})

/** Returns how PostgreSQL looks for leads. With a handful of them it may pick any other index. */
async function explainSearch(query: { lead_search: string; date_from?: string; date_to?: string }): Promise<string> {
  const me = (await findCurrentUserById(app.context.db, (await app.make.superAdmin()).id))!
  const { where } = buildLeadMatch(me, query, { archived: false, zone: 'America/New_York' })
  const explained = app.context.db.transaction(async (tx) => {
    await tx.execute(sql`drop index leads_list, leads_archive, leads_site, leads_campaign, leads_counted`)
    await tx.execute(sql`set local enable_seqscan = off`)
    const { rows } = await tx.execute(sql`explain select ${leadsTable.id} from ${leadsTable} where ${where}`)
    throw new Error(rows.map((row) => row['QUERY PLAN']).join('\n')) // nothing is dropped
  })
  return explained.catch(({ message }: Error) => message)
}

test.each(['leak', 'Ｌéａｋ', 'l\u200beak'])(
  'the search’s index serves %j, and the weeks of the days [LEAD-72, EDGE-04]',
  async (lead_search) => {
    expect(await explainSearch({ date_from: '2026-03-01', date_to: '2026-03-31', lead_search })).toMatch(
      /Bitmap Index Scan on leads_search.*\n\s+Index Cond: .*&& '\{2930,2931,2932,2933,2934\}'.*search_text ~~ '%leak%'/,
    )
  },
)

test('indexes serve a phone with its extension too [LEAD-72]', async () => {
  const plan = await explainSearch({ lead_search: '(512) 555-0144 x7' })
  expect(plan).toMatch(/Bitmap Index Scan on leads_search/)
  expect(plan).toMatch(/Bitmap Index Scan on leads_related_phone.*\n\s+Index Cond: \(phone_key = '\+15125550144'/)
  expect(plan).not.toMatch(/Seq Scan/)
})

test('days and times are shown in the agency’s zone [LEAD-78, API-03]', async () => {
  await lead('late', { occurred_at: new Date('2026-07-05T03:59:30Z') })
  const { body } = await superAdmin.call(leadsContract.list, { query: { campaign_ids: campaign_id } })
  expect(body.data[0]).toMatchObject({ lead_date: '2026-07-04', lead_time: '23:59' })
})

// ——— search ———

test('every word must be found, in any of the searched fields, in any case [LEAD-55, LEAD-72]', async () => {
  await lead('Álvaro Núñez', {
    lead_email: 'Alvaro@Example.com',
    message: 'The roof\nleaks',
    lead_location: 'Austin, TX',
  })
  await lead('Mary', {
    company_name: 'Acme Roofing',
    notes: 'call back',
    client_notes: 'very keen',
    source: 'Facebook',
  })
  expect(await found({ lead_search: 'ROOF' })).toEqual(['Mary', 'Álvaro Núñez'])
  expect(await found({ lead_search: 'roof leaks' })).toEqual(['Álvaro Núñez'])
  expect(await found({ lead_search: ' austin   ÁLVARO ' })).toEqual(['Álvaro Núñez'])
  expect(await found({ lead_search: 'acme keen back mary' })).toEqual(['Mary'])
  expect(await found({ lead_search: 'acme austin' })).toEqual([])
  expect(await found({ lead_search: 'facebook' })).toEqual([])
  expect(await found({ lead_search: 'tx' })).toEqual(['Álvaro Núñez'])
  expect(await found({ lead_search: 'o@e' })).toEqual(['Álvaro Núñez'])
  expect(await found({ lead_search: '   ' })).toEqual(['Mary', 'Álvaro Núñez'])
})

test('wildcards and other special characters are searched literally [LEAD-72]', async () => {
  await lead('percent', { message: 'save 100% now' })
  await lead('score', { message: 'snake_case' })
  await lead('slash', { message: 'back\\slash' })
  await lead('plain', { message: 'save 1000 snakes, case by case' })
  expect(await found({ lead_search: '100%' })).toEqual(['percent'])
  expect(await found({ lead_search: '%' })).toEqual(['percent'])
  expect(await found({ lead_search: 'snake_case' })).toEqual(['score'])
  expect(await found({ lead_search: 'back\\slash' })).toEqual(['slash'])
  expect(await found({ lead_search: "'; drop table leads; --" })).toEqual([])
})

test('only the digits of a phone are compared, and only with phones [LEAD-72]', async () => {
  await lead('call', { lead_type: 'Call', lead_phone: '+12125550123' })
  await lead('form', { lead_phone: '(212) 555-0123' })
  await lead('text', { message: 'order 2125550 and 212 and 12' })
  expect(await found({ lead_search: '212-555-0123' })).toEqual(['call', 'form'])
  expect(await found({ lead_search: '(212) 555-0123' })).toEqual(['call', 'form'])
  expect(await found({ lead_search: '+12125550123' })).toEqual(['call', 'form'])
  expect(await found({ lead_search: '+1.212.555.0123' })).toEqual(['call', 'form'])
  expect(await found({ lead_search: '5550123' })).toEqual(['call', 'form'])
  expect(await found({ lead_search: '212' })).toEqual(['call', 'form', 'text'])
  expect(await found({ lead_search: '212-555-0' })).toEqual(['call', 'form'])
  expect(await found({ lead_search: '--' })).toEqual([])
})

test('a phone is found with its extension as it is stored, shown or copied, and an email as a link [LEAD-72, EDGE-03, EDGE-05]', async () => {
  await lead('stored', { lead_phone: '(512) 555-0144 x7', lead_email: 'ann@x.example' })
  await lead('other', { lead_phone: '512.555.0144 ext. 8', lead_email: 'joe@x.example' })
  await lead('none', { lead_phone: '+15125550144' })
  await lead('abroad', { lead_phone: '+442079460958' })
  for (const typed of [
    ...['512-555-0144 x7', '5125550144 ext. 7', '+1 (512) 555-0144 ext. 7', 'tel:+15125550144;ext=7'],
    'stored 512 555 0144 #7',
  ])
    expect([typed, await found({ lead_search: typed })]).toEqual([typed, ['stored']])
  for (const typed of ['512-555-0144', '+1 (512) 555-0144', '1.512.555.0144', 'tel:512-555-0144'])
    expect([typed, await found({ lead_search: typed })]).toEqual([typed, ['none', 'other', 'stored']])
  expect(await found({ lead_search: '512-555-0144 x9' })).toEqual([])
  expect(await found({ lead_search: '+44 (0)20 7946 0958' })).toEqual(['abroad'])
  for (const typed of ['mailto:ann@x.example', 'MAILTO:Ann@X.example?subject=Roof', 'stored <ann@x.example>,'])
    expect([typed, await found({ lead_search: typed })]).toEqual([typed, ['stored']])
})

// ——— refusals ———

test('filtering or sorting by a field that the caller cannot read is refused by name [API-08, PERM-14]', async () => {
  const http = ['leads', 'archivedleads', 'show_lead_http_columns'] as const
  const without = ['leads', 'archivedleads'] as const
  const at = { campaigns: [campaign_id] }
  const people = {
    handler: await app.as(await app.make.handler({ ...at, permissions: [...without] })),
    handlerWithHttp: await app.as(await app.make.handler({ ...at, permissions: [...http] })),
    admin: await app.as(await app.make.admin({ ...at, permissions: [...without] })),
    adminWithHttp: await app.as(await app.make.admin({ ...at, permissions: [...http] })),
  }
  const refused: [Record<string, unknown>, string, (keyof typeof people)[]][] = [
    [{ category_id: 1 }, 'category_id', ['handler', 'handlerWithHttp']],
    [{ source: 'Facebook' }, 'source', ['handler', 'handlerWithHttp']],
    [{ tags: 'Spam' }, 'tags', ['handler', 'admin']],
    [{ sort: 'source' }, 'sort', ['handler', 'handlerWithHttp', 'admin']],
  ]
  for (const [query, field, by] of refused) {
    for (const [name, person] of Object.entries(people)) {
      const { status, body } = await person.call(leadsContract.list, { query })
      const expected = by.includes(name as keyof typeof people)
      expect([name, field, status]).toEqual([name, field, expected ? 422 : 200])
      if (expected) expect(Object.keys(body.errors)).toEqual([field])
      if (field !== 'sort')
        expect((await person.call(leadsContract.archivedStatistic, { query })).status).toBe(expected ? 422 : 200)
    }
  }
})

test('an unusable value is refused by name, an unknown parameter is ignored [API-06, API-08, API-11]', async () => {
  const unusable: Record<string, string[]> = {
    page: ['0', '-1', 'x', '1.5', '99999999999999999999'],
    per_page: ['0', '201', 'all'],
    sort: ['message', 'id; drop table leads', 'hide'],
    order: ['up'],
    date_from: ['2026-02-30', 'yesterday'],
    date_to: ['31.01.2026'],
    category_id: ['x', '0', '2147483648'],
    campaign_ids: ['x', '1,x', '0'],
    tags: ['Nonsense'],
    lead_type: ['Fax'],
    answering_status: ['Busy'],
    client_progress: ['6'],
    source: ['Bing'],
    lead_search: ['x'.repeat(501)],
    confirmed: ['yes'],
    not_rated: ['2'],
  }
  for (const [name, values] of Object.entries(unusable))
    for (const value of values) {
      const { status, body } = await superAdmin.call(leadsContract.list, { query: { [name]: value } })
      expect([name, value, status, Object.keys(body.errors ?? {})[0]?.split('.')[0]]).toEqual([name, value, 422, name])
    }
  const status = async (query: string) => (await superAdmin.fetch(`/api/leads/list/data?${query}`)).status
  for (const strange of ['lead_search=a%00b', 'page=1&page=2', 'sort=id&sort=id', 'lead_search=a&lead_search=b'])
    expect([strange, await status(strange)]).toEqual([strange, 422])
  for (const harmless of [
    'lead_search=%F0%9F%8F%A0',
    `lead_search=${'ab+'.repeat(160)}`,
    `nonsense=${'x'.repeat(12_000)}`,
    '__proto__=1',
  ])
    expect([harmless.slice(0, 30), await status(harmless)]).toEqual([harmless.slice(0, 30), 200])
  expect(
    (await superAdmin.call(leadsContract.list, { query: { nonsense: 'x', cache: 'false', global: 1 } })).status,
  ).toBe(200)
})
