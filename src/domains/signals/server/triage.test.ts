import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { setUp, startApp } from '#test/app.ts'
import { signalsContract } from '../contract.ts'
import { signalsTable } from '../schema.ts'

const app = await setUp(startApp())
const timeZone = app.context.settings.AGENCY_TIMEZONE
const person = await app.make.superAdmin()
const me = await app.as(person)
const campaign = await app.make.campaign({ manager: `${person.username.toUpperCase()} Smith` })
const other = await app.make.campaign({ manager: 'Dana' })

let last = 0
async function makeSignal(values: Partial<typeof signalsTable.$inferInsert>) {
  const [row] = await app.context.db
    .insert(signalsTable)
    .values({
      kind: 'site_offline',
      detected_kind: values.kind ?? 'site_offline',
      severity: 'severe',
      title: 'A problem',
      campaign_id: other.id,
      subject_type: 'client_site',
      subject_id: String(++last),
      subject_label: 'a.example',
      evidence: { says: 'Down.' },
      ...values,
    })
    .returning()
  return row!
}
const lost = (mid: number) => ({ low: 0, mid, high: 2 * mid })

test('signals are ordered by urgency, then leads lost, then my own campaigns first, then the newest [DESK-01]', async () => {
  const opened_at = new Date(Date.now() - 3_600_000)
  const made = {
    soon: await makeSignal({ severity: 'warning', expected_lost: lost(90) }),
    small: await makeSignal({ expected_lost: lost(0.9), opened_at: new Date() }),
    theirs: await makeSignal({ expected_lost: lost(14) }),
    mine: await makeSignal({ expected_lost: lost(14), campaign_id: campaign.id, opened_at }),
    large: await makeSignal({ expected_lost: lost(101), opened_at }),
    none: await makeSignal({}),
    task: await makeSignal({ kind: 'task_overdue', severity: 'note', subject_type: 'task' }),
  }
  const { data } = (await me.call(signalsContract.list)).body as { data: { id: number; is_mine: boolean }[] }
  const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]))
  expect(data.map(({ id }) => names.get(id))).toEqual(['large', 'mine', 'theirs', 'small', 'none', 'soon', 'task'])
  expect(data.filter(({ is_mine }) => is_mine).map(({ id }) => id)).toEqual([made.mine.id])
  // Overdue tasks are among one's tasks, so the bell leaves them out.
  const { body } = await me.call(signalsContract.count)
  expect(body).toEqual({ open: 6, needs_you: 6, severe: 5, newest_id: made.none.id })
})

test('a signal has its leads of 28 days and the earlier signals of its subject [DESK-01]', async () => {
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const today = getToday(timeZone)
  const at = (daysAgo: number) => new Date(startOfZonedDay(addDays(today, -daysAgo), timeZone).getTime() + 60_000)
  const make = (daysAgo: number, values: object = {}) =>
    app.make.lead({
      ...{ campaign_id: campaign.id, clientsite_id: site.id, lead_s: 'Callrail', occurred_at: at(daysAgo) },
      ...values,
    })
  for (const days of [28, 27, 20, 20, 0]) await make(days)
  await make(20, { lead_s: 'Formidable' })
  await make(20, { archived: true })
  const subject = { subject_type: 'source', subject_id: `${site.id}/callrail`, campaign_id: campaign.id } as const
  const before = await makeSignal({ ...subject, kind: 'source_silent', title: 'Before', closed_at: at(9) })
  const signal = await makeSignal({ ...subject, kind: 'source_silent' })
  const { body } = await me.call(signalsContract.read, { params: { id: signal.id } })
  expect(body).toMatchObject({ id: signal.id, is_mine: true, earlier: [{ id: before.id, title: 'Before' }] })
  expect(body.days).toHaveLength(28)
  expect(body.days!.filter(({ leads }: { leads: number }) => leads > 0)).toEqual([
    { day: addDays(today, -27), leads: 1 },
    { day: addDays(today, -20), leads: 2 },
    { day: today, leads: 1 },
  ])
  // A campaign's signal has the leads of its campaign, a backlink none.
  const behind = await makeSignal({ kind: 'behind_target', subject_type: 'campaign', campaign_id: campaign.id })
  const ofCampaign = (await me.call(signalsContract.read, { params: { id: behind.id } })).body.days!
  expect(ofCampaign.find(({ day }: { day: string }) => day === addDays(today, -20))).toMatchObject({ leads: 3 })
  const link = await makeSignal({ kind: 'link_lost', subject_type: 'link', campaign_id: campaign.id })
  expect((await me.call(signalsContract.read, { params: { id: link.id } })).body.days).toBeNull()
  const stranger = await app.as(await app.make.admin({ campaigns: [other.id] }))
  expect((await stranger.call(signalsContract.read, { params: { id: signal.id } })).status).toBe(404)
})
