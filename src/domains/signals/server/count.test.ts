import { expect, test } from 'vitest'
import { msPerDay } from '#contract/days.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { signalsTable } from '../schema.ts'

const app = await setUp(startApp())

test('the bell counts unhandled signals of the user’s campaigns, and each cause once [TODAY-08]', async () => {
  const user = await app.make.superAdmin()
  const root = await app.as(user)
  const campaign = await app.make.campaign()
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const make = async (subject_id: string, values: Partial<typeof signalsTable.$inferInsert> = {}) => {
    const [row] = await app.context.db
      .insert(signalsTable)
      .values({
        kind: 'site_offline',
        detected_kind: 'site_offline',
        severity: 'severe',
        title: subject_id,
        subject_type: 'client_site',
        subject_id,
        subject_label: subject_id,
        evidence: { says: 'It is down.' },
        campaign_id: campaign.id,
        ...values,
      })
      .returning()
    return row!.id
  }
  const parent = await make('ip', { subject_type: 'ip', campaign_id: null })
  await make('1', { parent_id: parent })
  await make('2', { parent_id: parent })
  await make('3', { severity: 'note' })
  await make('4', { claimed_by: user.id })
  await make('5', { muted_until: new Date(Date.now() + msPerDay) })
  await make('6', { muted_until: new Date(Date.now() - msPerDay), severity: 'warning' })
  await make('7', { closed_at: new Date() })
  const newest_id = await make('8', { campaign_id: (await app.make.campaign()).id })

  const all = await root.call(signalsContract.count)
  expect(all.body).toEqual({ needs_you: 4, severe: 2, open: 8, newest_id })
  const own = await admin.call(signalsContract.count)
  expect(own.body, 'the parent of their signals counts for them').toMatchObject({ needs_you: 3, severe: 1, open: 7 })

  const task = await admin.call(signalsContract.list, { query: { kind: 'site_offline' } })
  const waiting = task.body.data.find(({ subject }: Signal) => subject.id === 3)!
  expect(waiting.is_handled).toBe(false)
  const handled = (await admin.call(signalsContract.task, { params: { id: waiting.id } })).body
  expect(handled.is_handled).toBe(true)
  expect((await admin.call(signalsContract.count)).body.needs_you).toBe(2)
  // Its task is done and the problem is still there: it needs someone again.
  const done = { params: { id: handled.task_id }, body: { is_done: 1 } }
  expect((await admin.call(activityLogContract.toggleStatus, done)).status).toBe(200)
  expect((await admin.call(signalsContract.count)).body.needs_you).toBe(3)
})
