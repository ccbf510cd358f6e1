import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { defaultSchedule, type WorkingSchedule } from '#domains/campaigns/schedule.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail } from '#test/provider-hooks.ts'
import { workingHoursContract } from '../contract.ts'

let id: number
const app = await setUp(startApp({ settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  id = (await app.make.campaign()).id
})

const read = (who = root, of = id) => who.call(workingHoursContract.read, { params: { id: of } })
const save = (body: unknown) => root.call(workingHoursContract.save, { params: { id }, body })
const everyDay = (startTime: string, endTime: string, enabled = true): WorkingSchedule =>
  [0, 1, 2, 3, 4, 5, 6].map((day) => ({ enabled, day, startTime, endTime }))

test('a new campaign works Monday to Friday from ten to seven [HOURS-05]', async () => {
  expect((await read()).body).toEqual({ timezone: 'America/New_York', schedule: defaultSchedule, version: 1 })
  expect(defaultSchedule.map(({ day, enabled, startTime, endTime }) => [day, enabled, startTime, endTime])).toEqual([
    [0, false, '10:00', '15:00'],
    ...[1, 2, 3, 4, 5].map((day) => [day, true, '10:00', '19:00']),
    [6, false, '10:00', '15:00'],
  ])
})

test.each([
  ['America/Los_Angeles', 'America/Los_Angeles'],
  ['Europe/Madrid', 'America/New_York'], // not one of the list
])('with %s as the agency’s time zone, a new campaign’s is %s', async (AGENCY_TIMEZONE, timezone) => {
  const agency = await startApp({ settings: { AGENCY_TIMEZONE } })
  const keeper = await agency.as(await agency.make.superAdmin())
  const [client, category] = [await agency.make.client(), await agency.make.category()]
  const body = {
    name: 'Westside Roofing',
    client_id: client.id,
    categories: [category.id],
    manager: 'Olivia',
    start_date: '2026-01-01',
    due_date: 1,
    initial_target: 10,
  }
  const made = await keeper.call(campaignsContract.create, { body })
  expect((await read(keeper, made.body.id)).body).toMatchObject({ timezone })
  await agency.close()
})

test('saving returns the hours by day, with an audit entry [HOURS-06]', async () => {
  const body = { timezone: 'America/Chicago', schedule: everyDay('00:00', '24:00').toReversed() }
  expect((await save(body)).body).toEqual({ ...body, schedule: everyDay('00:00', '24:00'), version: 2 })
  expect((await read()).body).toMatchObject({ timezone: 'America/Chicago', version: 2 })
  expect((await save(body)).body.version).toBe(2)
  const { rows } = await app.context.db.execute(
    sql`select before->>'timezone' as before, after->>'timezone' as after from audit where kind = 'campaign' and row_id = ${id}`,
  )
  expect(rows).toEqual([{ before: 'America/New_York', after: 'America/Chicago' }])
})

test('the time zones are a map from code to label, for admins with any page [HOURS-07]', async () => {
  const admin = await app.as(await app.make.admin({ permissions: ['changelog'] }))
  const { body } = await admin.call(clientsContract.timezones)
  expect(body).toMatchObject({ 'America/New_York': 'Eastern Time (New York)', 'Pacific/Honolulu': expect.any(String) })
  for (const code of Object.keys(body)) expect(() => new Intl.DateTimeFormat('en', { timeZone: code })).not.toThrow()
  expect((await (await app.as(await app.make.handler())).call(clientsContract.timezones)).status).toBe(403)
})

describe('invalid hours are refused by field, and nothing changes', () => {
  const sevenDays = { schedule: ['Exactly seven days, 0 (Sunday) to 6'] }
  const onTheHalfHour = 'Times are HH:mm on the half hour, up to 24:00'
  const one = (change: object) => defaultSchedule.map((entry) => (entry.day === 3 ? { ...entry, ...change } : entry))
  test.each([
    ['no schedule [HOURS-08]', null, sevenDays],
    ['six days [HOURS-08]', defaultSchedule.slice(1), sevenDays],
    ['eight days [HOURS-08]', [...defaultSchedule, defaultSchedule[0]], sevenDays],
    ['the seven days twice [HOURS-08]', [...defaultSchedule, ...defaultSchedule], sevenDays],
    ['a day twice [HOURS-08]', one({ day: 2 }), { schedule: ['Each day exactly once'] }],
    ['a day 7 [HOURS-08]', one({ day: 7 }), { 'schedule.3.day': ['A day is 0 (Sunday) to 6'] }],
    ['no time at all [HOURS-09]', one({ startTime: null }), { 'schedule.3.startTime': [onTheHalfHour] }],
    ['a quarter past [HOURS-09]', one({ startTime: '10:15' }), { 'schedule.3.startTime': [onTheHalfHour] }],
    ['half past 24 [HOURS-09]', one({ endTime: '24:30' }), { 'schedule.3.endTime': [onTheHalfHour] }],
    ['without its nought [HOURS-09]', one({ startTime: '9:00' }), { 'schedule.3.startTime': [onTheHalfHour] }],
    ['with seconds [HOURS-09]', one({ endTime: '19:00:00' }), { 'schedule.3.endTime': [onTheHalfHour] }],
    [
      'no hour at all [HOURS-09]',
      one({ startTime: '12:00', endTime: '12:00' }),
      { 'schedule.3.endTime': ['The start must be before the end'] },
    ],
    [
      'over midnight [HOURS-09]',
      one({ startTime: '22:00', endTime: '06:00' }),
      {
        'schedule.3.endTime': ['Hours cannot run past midnight: end this day at 24:00 and start the next one at 00:00'],
      },
    ],
    [
      'over midnight on a day that is off [HOURS-09]',
      one({ enabled: false, startTime: '24:00', endTime: '00:30' }),
      {
        'schedule.3.endTime': ['Hours cannot run past midnight: end this day at 24:00 and start the next one at 00:00'],
      },
    ],
    ['neither on nor off', one({ enabled: 'yes' }), { 'schedule.3.enabled': ['Must be true or false'] }],
  ])('%s', async (_, schedule, errors) => {
    const before = await app.dump()
    const answer = await save({ timezone: 'America/New_York', schedule })
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
    expect(await app.dump()).toBe(before)
  })

  test.each(['Mars/Olympus', 'america/new_york', '+05:00', '', null, 'constructor'])(
    'the time zone %j',
    async (timezone) => {
      const before = await app.dump()
      const answer = await save({ timezone, schedule: defaultSchedule })
      expect([answer.status, answer.body.errors]).toEqual([422, { timezone: ['Please select a time zone'] }])
      expect(await app.dump()).toBe(before)
    },
  )
})

test('the saved hours, in the campaign’s own zone, decide After Hours [HOURS-10]', async () => {
  await app.make.clientSite({ campaign_id: id, callrail_campaign_identifier: 'COM1' })
  const tagsAt = async (start_time: string) => {
    const call = postCall({ start_time, call_type: 'missed', customer_phone_number: '+15125550001' })
    await sendCallRail(app, call)
    await processInbox(app.context)
    const { rows } = await app.context.db.execute<{ tags: string[] }>(
      sql`select tags from leads where lead_id = ${call.resource_id}`,
    )
    return rows[0]!.tags
  }
  const schedule = everyDay('08:00', '24:00').map((entry) => ({ ...entry, enabled: entry.day !== 0 }))
  await save({ timezone: 'America/Los_Angeles', schedule })
  // March 8, 2026: clocks in Los Angeles go from 02:00 to 03:00.
  expect(await tagsAt('2026-03-06T15:59:00Z')).toEqual(['After Hours']) // Friday 07:59
  expect(await tagsAt('2026-03-06T16:00:00Z')).toEqual(['Auto Missed Call']) // Friday 08:00
  expect(await tagsAt('2026-03-09T15:00:00Z')).toEqual(['Auto Missed Call']) // Monday 08:00, an hour earlier in the world
  expect(await tagsAt('2026-03-08T16:00:00Z')).toEqual(['After Hours']) // Sunday
  expect(await tagsAt('2026-03-10T06:59:00Z')).toEqual(['Auto Missed Call']) // Monday 23:59, before 24:00
  expect(await tagsAt('2026-03-10T07:00:00Z')).toEqual(['After Hours']) // Tuesday 00:00
  await save({ timezone: 'America/New_York', schedule })
  expect(await tagsAt('2026-03-09T15:00:00Z')).toEqual(['Auto Missed Call']) // Monday 11:00 there
  expect(await tagsAt('2026-03-10T06:59:00Z')).toEqual(['After Hours']) // Tuesday 02:59 there
})
