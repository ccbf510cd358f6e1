import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { usersTable } from '#domains/access/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import { type ReceivedEmail, startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { expectMailable } from '#test/mailable.ts'
import { callRailKey, postCall, sendCallRail, sendForm } from '#test/provider-hooks.ts'
import { mailsTable } from '../schema.ts'
import { renderLeadEmail } from './email.ts'
import { enqueueMail, readSkipReason } from './enqueue.ts'
import { mailOutbox } from './outbox.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(
  startApp({
    work: true,
    settings: { CALLRAIL_SIGNING_KEY: callRailKey, SMTP_URL: sink.url, MAIL_FROM: 'Leads <leads@agency.example>' },
  }),
)
const client = await app.make.client({ emails: ['office@client.example', 'OWNER@client.example', 'not an address'] })
await app.make.customer({ client_id: client.id, email: 'owner@client.example' })
const campaign = await app.make.campaign({ client_id: client.id, name: 'Austin Roofing' })
const site = await app.make.clientSite({
  campaign_id: campaign.id,
  callrail_campaign_identifier: 'COM1',
  key: 'form-key',
})
beforeEach(() => {
  sink.letters.length = 0
  sink.manner = 'take'
})

const all = () => app.context.db.select().from(mailsTable).orderBy(asc(mailsTable.id))
const arrived = (count: number) => expect.poll(() => sink.letters.length, { timeout: 40_000, interval: 20 }).toBe(count)
const settled = () =>
  expect
    .poll(async () => (await all()).filter(({ state }) => state === 'queued' || state === 'handing').length, {
      timeout: 40_000,
      interval: 20,
    })
    .toBe(0)
const linksIn = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
const headerOf = (letter: ReceivedEmail, name: string) => letter.email.headers.find(({ key }) => key === name)?.value

async function render(kind: 'notification' | 'missed_call_warning', lead_id: number) {
  const [mail] = await app.context.db
    .insert(mailsTable)
    .values({ lead_id, campaign_id: campaign.id, kind, recipients: ['a@client.example'], state: 'sent' })
    .returning()
  const letter = await renderLeadEmail(app.context, mail!, 'the-key')
  if (!('html' in letter)) throw new Error('not rendered')
  return letter
}

test('a new lead is mailed once to the login account and the additional addresses of its client [IN-14]', async () => {
  const call = postCall({ customer_name: 'Ann Caller', duration: '75', answered: true, call_type: 'answered' })
  await sendCallRail(app, call)
  await arrived(1)
  const [letter] = sink.letters
  expect(letter!.to).toEqual(['owner@client.example', 'office@client.example'])
  expect(letter!.email.from).toMatchObject({ address: 'leads@agency.example', name: 'Leads' })
  expect(letter!.email.subject).toBe('New call from Ann Caller · Austin Roofing')
  await settled()
  expect((await all()).at(-1)).toMatchObject({ kind: 'notification', state: 'sent', requested_by: null, error: null })
})

test('the mail has the lead, five star links, a not-a-lead link, and a link that only machines open [IN-16]', async () => {
  await sendForm(app, site.id, 'form-key', {
    item_id: 'm-1',
    name: 'Fay Form',
    email: 'fay@example.com',
    phone: '512-555-0144',
    message: 'The roof leaks.\nBadly.',
  })
  await arrived(1)
  const { html = '', text = '' } = sink.letters[0]!.email
  for (const fact of ['Fay Form', 'fay@example.com', '512-555-0144', 'The roof leaks.', 'Austin Roofing'])
    expect([html.includes(fact), text.includes(fact)]).toEqual([true, true])
  const links = linksIn(html).filter((link) => link.startsWith(app.url))
  const query = new URL(links[0]!).searchParams
  const [lead, key] = [query.get('lead')!, query.get('auth_key')!]
  const address = (path: string, more = '') => `${app.url}${path}?lead=${lead}&auth_key=${key}${more}`
  const stars = ['1', '2', '3', '4', '5'].map((rate) => address('/rate', `&rate=${rate}`))
  expect(links).toEqual([...stars, address('/rate/not-lead'), address('/rate'), address('/rate', '&trap=1')])
  for (const link of [...stars, address('/rate/not-lead')]) expect(text).toContain(link)
  expect(text).not.toContain('trap')
  expect(html).toMatch(
    /<div aria-hidden="true" style="display:none[^>]*><a href="[^"]*trap=1" rel="nofollow" tabindex="-1"/i,
  )
  expect(Buffer.from(key, 'base64url')).toHaveLength(16)
  const [kept] = await app.context.db
    .select()
    .from(ratingKeysTable)
    .where(eq(ratingKeysTable.key_hash, hashSha256(key)))
  expect(kept).toMatchObject({ lead_id: Number(lead) })
  const days = (kept!.expires_at.getTime() - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(180)
  expect(JSON.stringify(await all())).not.toContain(key)
})

test('a recorded call is mailed with its source, and with buttons to call back and to listen, which saves nothing [ACCT-06]', async () => {
  const lead = await app.make.lead({
    campaign_id: campaign.id,
    lead_type: 'Call',
    lead_phone: '+15125550144',
    source: 'Google Maps',
    recording_url: 'https://calls.example/1',
  })
  for (const kind of ['notification', 'missed_call_warning'] as const) {
    const letter = await render(kind, lead.id)
    const listen = `${app.url}/rate?lead=${lead.id}&auth_key=the-key&listen=1`
    expect(linksIn(letter.html).filter((link) => link === listen)).toHaveLength(1)
    expect(letter.text).toContain(`Listen: ${listen}`)
    expect(letter.text).toContain('Source: Google Maps')
    expect(letter.html).toContain('tel:+15125550144')
    expect(letter.text).toContain('You get new leads for Austin Roofing. Change who gets them: reply to this email.')
    expectMailable(letter)
  }
  const { html } = await render('notification', lead.id)
  for (const words of ['Was this a good lead?', 'Poor', 'Great', 'Not a real lead?', 'Call back'])
    expect(html).toContain(words)
})

test('a stranger’s input stays text: no markup, no header, no link', async () => {
  await sendForm(app, site.id, 'form-key', {
    item_id: 'm-2',
    name: 'Eve</title><script>alert(1)</script>\r\nBcc: victim@example.com',
    email: 'eve@example.com?bcc=victim@example.com',
    phone: 'javascript:alert(1)',
    message: '<img src=x onerror=alert(1)> https://evil.example/',
  })
  await arrived(1)
  const [letter] = sink.letters
  const { html = '' } = letter!.email
  expect(html).not.toMatch(/<script|<img|href="javascript/i)
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  // The one valid address, without what stood behind it.
  expect(linksIn(html).filter((link) => !link.startsWith(app.url))).toEqual(['mailto:eve@example.com'])
  expect(letter!.email.subject).toBe(
    'New form from Eve</title><script>alert(1)</script> Bcc: victim@example.com · Austin Roofing',
  )
  expect(headerOf(letter!, 'bcc')).toBeUndefined()
  expect(letter!.to).not.toContain('victim@example.com')
})

test.each([
  [`Eve\r\nBcc: a@b.example\u2028${'x'.repeat(300)}`, /^New form from Eve Bcc: a@b\.example x{100,}$/],
  ['👨‍👩‍👧'.repeat(300), /^New form from (👨‍👩‍👧){136}$/],
])('a subject is one line of whole characters, whatever the name contains: %#', async (lead_name, said) => {
  const lead = await app.make.lead({ campaign_id: campaign.id, lead_name })
  expect((await render('notification', lead.id)).subject).toMatch(said)
})

test('no mail goes to a client who wants none, has no address, is switched off or deleted; nor for a lead with Notify off [IN-15, LADD-11]', async () => {
  const silent = await app.make.client({ disable_notifications: true, emails: ['silent@client.example'] })
  const nameless = await app.make.client({ emails: ['nothing here'] })
  const off = await app.make.client({ emails: ['off@client.example'] })
  await app.make.customer({ client_id: off.id, is_active: false })
  const gone = await app.make.client({ emails: ['gone@client.example'], deleted_at: new Date() })
  const why = async (clientId: number | null, notify = true) => {
    const campaign_id = clientId === null ? null : (await app.make.campaign({ client_id: clientId })).id
    const lead = await app.make.lead({ campaign_id, notify })
    const foretold = await readSkipReason(app.context.db, lead.id)
    const enqueued = await app.context.db.transaction((tx) =>
      enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
    )
    expect(foretold).toBe('none' in enqueued ? enqueued.none : null)
    return enqueued
  }
  const before = (await all()).length
  expect(await why(silent.id)).toEqual({ none: 'Notifications are disabled for this client' })
  expect(await why(nameless.id)).toEqual({ none: 'This client has no email address' })
  expect(await why(off.id)).toEqual({ none: 'This client is switched off' })
  expect(await why(gone.id)).toEqual({ none: 'This lead has no client' })
  expect(await why(null)).toEqual({ none: 'This lead has no client' })
  expect(await why(client.id, false)).toEqual({ none: 'Notifications are off for this lead' })
  expect((await all()).length).toBe(before)
  expect(await why(client.id)).toMatchObject({ mail: { state: 'queued' } })
  await settled()
})

test('the account of an invited client gets leads once the invitation is accepted, additional addresses at once [MOVE-12]', async () => {
  const invited = await app.make.client({ emails: ['desk@invited.example'] })
  const account = { email: 'owner@invited.example', password_hash: notArrivedHash }
  const { id } = await app.make.customer({ client_id: invited.id, ...account })
  const { id: campaign_id } = await app.make.campaign({ client_id: invited.id })
  const tell = async () => {
    sink.letters.length = 0
    const lead = await app.make.lead({ campaign_id })
    const told = await app.context.db.transaction((tx) =>
      enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
    )
    await settled()
    return { told, to: sink.letters.flatMap(({ to }) => to) }
  }
  expect((await tell()).to).toEqual(['desk@invited.example'])
  await app.context.db.update(clientsTable).set({ emails: [] }).where(eq(clientsTable.id, invited.id))
  expect(await tell()).toEqual({ told: { none: 'This client has not accepted the invitation yet' }, to: [] })
  await app.context.db.update(usersTable).set({ password_hash: 'chosen' }).where(eq(usersTable.id, id))
  expect((await tell()).to).toEqual(['owner@invited.example'])
})

test.each<[string, { owner?: object; isOff?: boolean; hide?: boolean; client_id?: number }, string]>([
  ['that has moved to another client', { client_id: client.id }, 'The lead went to another client'],
  ['that was hidden', { hide: true }, 'The lead was hidden'],
  ['whose client was removed', { owner: { deleted_at: new Date() } }, 'The client was removed'],
  ['whose client was switched off', { isOff: true }, 'The client was switched off'],
  [
    'whose client switched notifications off',
    { owner: { disable_notifications: true } },
    'Notifications were switched off for the client',
  ],
])('a lead %s before its mail was sent is not mailed [IN-15]', async (_, { owner = {}, isOff, hide, ...mail }, why) => {
  const lost = await app.make.client(owner)
  if (isOff) await app.make.customer({ client_id: lost.id, is_active: false })
  const campaign = await app.make.campaign({ client_id: lost.id, archived: 'deleted_at' in owner })
  const lead = await app.make.lead({ campaign_id: campaign.id, ...(hide && { hide }) })
  const of = { lead_id: lead.id, campaign_id: campaign.id, client_id: lost.id }
  const [queued] = await app.context.db
    .insert(mailsTable)
    .values({ ...of, kind: 'notification', recipients: ['a@client.example'], ...mail })
    .returning()
  await mailOutbox.send(app.context, queued!.id)
  expect(await app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, lead.id))).toMatchObject([
    { state: 'refused', error: `${why} before the email was sent` },
  ])
  expect(sink.letters).toEqual([])
})
