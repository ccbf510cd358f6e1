import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { msPerDay } from '#contract/days.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { runSignals } from './runner.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const { db } = app.context

const inDays = (days: number) => new Date(Date.now() + days * msPerDay)
const dead = { state: 'refused', error: '550 No such user' } as const

beforeEach(async () => {
  await db.delete(mailsTable)
  await runSignals(app.context)
})

async function makeClient(emails: string[]) {
  const client = await app.make.client({ emails })
  const campaign = await app.make.campaign({ client_id: client.id })
  const lead = await app.make.lead({ campaign_id: campaign.id })
  const send = async (days: number, values: Partial<typeof mailsTable.$inferInsert>) => {
    const of = { lead_id: lead.id, campaign_id: campaign.id, client_id: client.id, kind: 'notification' as const }
    const [mail] = await db
      .insert(mailsTable)
      .values({ ...of, recipients: emails, created_at: inDays(days), ...values })
      .returning()
    return mail!
  }
  const setEmails = (emails: string[]) => db.update(clientsTable).set({ emails }).where(eq(clientsTable.id, client.id))
  const switchOff = () => app.make.customer({ client_id: client.id, is_active: false })
  return { send, setEmails, switchOff }
}

async function find(days = 0, state = 'open'): Promise<Signal[]> {
  await runSignals(app.context, inDays(days))
  return (await root.call(signalsContract.list, { query: { kind: 'mail_refused', state } })).body.data
}
const findClosing = async (label: string, days = 0) =>
  (await find(days, 'closed')).find(({ subject }) => subject.label === label)?.evidence.says

test('an address that refuses an email every day is one signal, until one gets through [TODAY-02] [TODAY-06]', async () => {
  const { send } = await makeClient(['gone@daily.example'])
  for (const day of [0, 1]) await send(day, dead)
  const [first] = await find(1)
  for (let day = 2; day <= 20; day++) await send(day, dead)
  expect(await find(20)).toMatchObject([
    { id: first!.id, opened_at: first!.opened_at, evidence: { since: first!.evidence.since, count: 21 } },
  ])
  await send(20, { state: 'sent' })
  expect(await find(20)).toEqual([])
  expect(await findClosing('gone@daily.example')).toMatch(/^A later email got through\. /)
})

test('a refused email is reported for two weeks, and nothing is said to have got through after them [TODAY-02] [TODAY-06]', async () => {
  const { send } = await makeClient(['gone@old.example'])
  await send(-1, dead)
  expect(await find(12.9)).toHaveLength(1)
  expect(await find(13.1)).toEqual([])
  expect(await findClosing('gone@old.example', 13.1)).toMatch(
    /^The address was changed, the client was switched off, or two weeks have passed\. /,
  )
})

test('what was refused is not reported for a client who was switched off, and is emailed nothing [TODAY-02]', async () => {
  const { send, switchOff } = await makeClient(['gone@off.example'])
  await send(-1, dead)
  expect(await find()).toHaveLength(1)
  await switchOff()
  expect(await find()).toEqual([])
})

test('an email sent again to a corrected address ends the signal of the old one [TODAY-02] [TODAY-06]', async () => {
  const { send, setEmails } = await makeClient(['gnoe@right.example'])
  await send(-2, dead)
  const last = await send(-1, dead)
  expect(await find()).toHaveLength(1)
  await setEmails(['gone@right.example'])
  expect(await find()).toEqual([])
  expect(await findClosing('gnoe@right.example')).toMatch(
    /^The address was changed, the client was switched off, or two weeks have passed\. /,
  )

  await setEmails(['gnoe@right.example'])
  expect(await find(), 'it is mailed there again').toHaveLength(1)
  await send(0, { recipients: ['GNOE@right.example', 'gone@right.example'], state: 'sent', again_of: last.id })
  expect(await find()).toEqual([])
})

test('an email that was sent again with success is not offered once more [TODAY-02]', async () => {
  const { send } = await makeClient(['old@moved.example'])
  const mail = await send(-1, dead)
  expect(await find()).toHaveLength(1)
  await send(0, { recipients: ['new@moved.example'], state: 'sent', again_of: mail.id })
  expect(await find()).toEqual([])
  expect(await findClosing('old@moved.example')).toMatch(/^A later email got through\. /)
})

test('of an email that some have, only those who do not have it matter [TODAY-02]', async () => {
  const { send, setEmails } = await makeClient(['here@both.example', 'gone@both.example'])
  await send(-1, { state: 'sent', error: 'Not delivered to gone@both.example: 550 No such user' })
  expect(await find()).toHaveLength(1)
  await send(0, { recipients: ['here@both.example'], state: 'sent' })
  expect(await find()).toHaveLength(1)
  await setEmails(['here@both.example'])
  expect(await find()).toEqual([])
})

test('an email that no mail server took within three days is not called refused by one [TODAY-02]', async () => {
  const { send } = await makeClient(['late@waited.example'])
  for (const days of [-2, -1])
    await send(days, { state: 'refused', error: 'Could not be sent within 72 hours: No mail server is connected' })
  expect(await find()).toMatchObject([
    {
      severity: 'severe',
      title: 'An email to late@waited.example was not sent',
      evidence: { says: '2 emails could not be sent within 72 hours: No mail server is connected.' },
    },
  ])
  await send(0, dead)
  expect(await find(), 'the server has refused just the last one').toMatchObject([
    {
      title: 'An email to late@waited.example was refused',
      evidence: { count: 3, says: 'The mail server refused 1 email: 550 No such user.' },
    },
  ])
})
