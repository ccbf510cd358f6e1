import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { agencyContract } from '#domains/agency/contract.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { recordConnectionUse } from '#domains/connections/public.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { getFirstDays } from '#domains/leads/public.ts'
import { setUp, startApp } from '#test/app.ts'
import { homeContract, type SetupStep } from '../contract.ts'
import { homeVisitsTable } from '../schema.ts'
import { readHomeFigures } from './queries.ts'

const app = await setUp(startApp())
const timeZone = app.context.settings.AGENCY_TIMEZONE
const [mine, other] = [await app.make.campaign(), await app.make.campaign()]
const admin = await app.make.admin({ campaigns: [mine.id], permissions: ['leads', 'dashboard'] })
const me = await app.as(admin)

test('the figures of Home are the leads of today beside those that are usual by now, and those to review [DESK-01]', async () => {
  const today = getToday(timeZone)
  const make = (daysAgo: number, hours: number, values: object = {}) =>
    app.make.lead({
      campaign_id: mine.id,
      occurred_at: new Date(startOfZonedDay(addDays(today, -daysAgo), timeZone).getTime() + hours * 3_600_000),
      confirmed: true,
      ...values,
    })
  await make(0, 0)
  await make(0, 1, { confirmed: false })
  await make(0, 1, { archived: true })
  await make(0, 1, { campaign_id: other.id })
  for (const weeks of [1, 2]) {
    await make(7 * weeks, 9)
    await make(7 * weeks, 9)
    await make(7 * weeks, 20)
  }
  await make(1, 9)
  await make(20, 9, { confirmed: false })
  await make(40, 9, { confirmed: false })
  const { db } = app.context
  const { body } = await me.call(homeContract.figures)
  expect(body).toMatchObject({ leads_today: 2 })
  const { body: tab } = await me.call(leadsContract.list, { query: { queue: 'review', ...getFirstDays(today) } })
  expect([body.to_review, tab.meta.total], 'as many as the tab that it leads to').toEqual([2, 2])
  const reader = { id: admin.id, campaignIds: [mine.id], isAdmin: true }
  const noon = new Date(startOfZonedDay(today, timeZone).getTime() + 12 * 3_600_000)
  const figures = await readHomeFigures(db, reader as never, timeZone, noon)
  expect(figures.usual_by_now, 'four leads before noon on the last four of these weekdays').toBe(1)
})

test('a visit of Home ends half an hour after the last look; what came since is new [DESK-01]', async () => {
  const look = async () => (await me.call(homeContract.visit)).body.last_visit_at
  expect(await look(), 'the first visit').toBeNull()
  expect(await look()).toBeNull()
  const { db } = app.context
  const goBack = (minutes: number) =>
    db
      .update(homeVisitsTable)
      .set({ seen_at: sql`seen_at - ${minutes} * interval '1 minute'` })
      .where(eq(homeVisitsTable.user_id, admin.id))
      .returning({ seen_at: homeVisitsTable.seen_at })
  const [left] = await goBack(31)
  expect(await look()).toBe(left!.seen_at.toISOString())
  await goBack(29)
  expect(await look(), 'the same visit').toBe(left!.seen_at.toISOString())
})

test('the steps of a new agency say what is missing, tick themselves, and are put off and taken up again [MOVE-01]', async () => {
  const fresh = await startApp()
  try {
    const root = await fresh.as(await fresh.make.superAdmin())
    const read = async (): Promise<SetupStep[]> => (await root.call(homeContract.steps)).body
    const open = async () => (await read()).filter(({ done }) => !done).map(({ key, lacks }) => [key, lacks])
    expect(await read()).toMatchObject([
      {
        key: 'agency',
        done: false,
        later: false,
        says: expect.stringMatching(/AGENCY_TIMEZONE in the .* a name of its own and a logo/),
      },
      { key: 'email', says: 'No mail server is connected.' },
      { key: 'callrail', says: 'No account is connected.' },
      { key: 'google', says: 'Google is not connected.' },
      { key: 'data', says: 'Nothing has been brought in yet, and no lead has come in.' },
      { key: 'first_client', says: 'There is no client yet.' },
    ])
    const logo = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`
    const brand = { name: 'Acme Leads', color: '#224466', logo: null as string | null }
    await root.call(agencyContract.update, { body: brand })
    expect((await read())[0]).toMatchObject({ done: false, says: expect.stringContaining('Still missing: a logo.') })
    await root.call(agencyContract.update, { body: { ...brand, logo } })
    expect((await read())[0]).toMatchObject({ done: true, lacks: null })

    const form = { kind: 'smtp', url: 'smtp://mail.example', from: 'a@b.example' }
    const { id } = (await root.call(connectionsContract.create, { body: form })).body
    expect((await read())[1]).toMatchObject({
      done: false,
      lacks: 'answer',
      says: 'mail.example has not been tested yet.',
    })
    await recordConnectionUse(fresh.context.db, id, { state: 'refused', says: 'The mail server says: 535 no' })
    expect((await read())[1]).toMatchObject({ done: false, says: 'The mail server says: 535 no' })
    await recordConnectionUse(fresh.context.db, id, { state: 'works' })
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]']) {
      fresh.context.settings.PUBLIC_URL = `http://${host}:3000`
      expect((await read())[1]).toMatchObject({
        done: true,
        says: `Connected: mail.example. Links in emails lead to http://${host}:3000, which opens only on this machine. Set PUBLIC_URL in the server’s settings.`,
      })
    }
    fresh.context.settings.PUBLIC_URL = 'http://10.0.0.7:3000'
    expect((await read())[1]).toMatchObject({ done: true, says: 'Connected: mail.example.' })

    const client = await fresh.make.client()
    expect((await read())[5]).toMatchObject({ lacks: 'campaign' })
    const campaign = await fresh.make.campaign({ client_id: client.id })
    expect((await read())[5]).toMatchObject({ lacks: 'site' })
    await fresh.make.clientSite({ campaign_id: campaign.id })
    await fresh.make.lead({ campaign_id: campaign.id })
    expect(await open()).toEqual([
      ['callrail', 'connection'],
      ['google', 'connection'],
    ])

    const later = (on: boolean) => root.call(homeContract.putOff, { params: { key: 'google' }, body: { later: on } })
    const isLater = async () => (await read())[3]!.later
    expect((await later(true)).status).toBe(200)
    expect([(await later(true)).status, await isLater()]).toEqual([200, true])
    expect([(await later(false)).status, await isLater()]).toEqual([200, false])
    const unknown = await root.call(homeContract.putOff, { params: { key: 'other' }, body: { later: true } })
    expect(unknown.status).toBeGreaterThanOrEqual(400)
    const admin = await fresh.as(await fresh.make.admin())
    expect((await admin.call(homeContract.steps)).status).toBe(403)
  } finally {
    await fresh.close()
  }
})
