import { desc, eq } from 'drizzle-orm'
import { addDays, getToday, msPerDay } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { toStatementId } from '#domains/billing/statements/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { importsTable } from '#domains/imports/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import { moveItemsTable, movesTable } from '#domains/moves/schema.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import type { App, Caller, Sent } from '#test/app.ts'

/** A call that succeeds, on rows made for it. All rows belong to one client with one campaign. */
export type WriteExample = (stage: WriteStage) => Promise<Sent> | Sent
export type WriteStage = Awaited<ReturnType<typeof createWriteStage>>

let count = 0

export async function createWriteStage(app: App, root: Caller) {
  const { make, context } = app
  const { db } = context
  count += 1
  const number = count
  const client = await make.client({ emails: ['owner@client.example'] })
  const campaign = await make.campaign({
    client_id: client.id,
    start_date: '2026-01-10',
    due_date: 5,
    service_fee: 100,
  })
  const of = { campaign_id: campaign.id }
  const site = await make.clientSite({ ...of, key: 'the key of its forms' })
  const phone = `+1512555${String(1000 + number)}`
  const lead = await make.lead({
    ...of,
    clientsite_id: site.id,
    lead_type: 'Call',
    lead_phone: phone,
    confirmed: true,
    tags: ['Missed Call'],
  })
  const admin = await make.admin({ campaigns: [campaign.id] })
  const insert = async <Row>(rows: Promise<Row[]>) => (await rows)[0]!
  return {
    app,
    root,
    number,
    phone,
    client,
    campaign,
    site,
    lead,
    admin,
    handler: await make.handler({ campaigns: [campaign.id] }),
    customer: await make.customer({ client_id: client.id }),
    item: await make.activityItem({ ...of, assignee_id: admin.id }),
    gmb: await make.gmb(of),
    /** Creates a row by a call, and returns the answer. */
    created: async (path: string, body?: object, method = 'POST') => {
      const response = await root.fetch(`/api${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      // biome-ignore lint/suspicious/noExplicitAny: an example reads the fields it needs
      return (response.status === 204 ? null : await response.json()) as any
    },
    /** A move with a team of the old system. */
    move: async (state: 'ready' | 'done') => {
      const sources = [{ connection: 1, kind: 'legacy' as const, name: 'Old', source: `https://old-${number}.example` }]
      const values = { user_id: admin.id, state, sources }
      const move = await insert(db.insert(movesTable).values(values).returning())
      const item = { move_id: move.id, key: '1-team-1', position: 0, kind: 'team' as const, old_id: '1' }
      await db
        .insert(moveItemsTable)
        .values({ ...item, connection_id: 1, label: 'Team', payload: { id: 1, name: 'Team' } })
      return move
    },
    dispute: () =>
      insert(
        db
          .insert(disputesTable)
          .values({ ...of, lead_id: lead.id, via: 'page' })
          .returning(),
      ),
    signal: (values: Partial<typeof signalsTable.$inferInsert> = {}) =>
      insert(
        db
          .insert(signalsTable)
          .values({
            ...of,
            kind: 'site_offline',
            detected_kind: 'site_offline',
            severity: 'severe',
            title: 'Offline',
            subject_type: 'client_site',
            subject_id: String(site.id),
            subject_label: site.url,
            evidence: {},
            ...values,
          })
          .returning(),
      ),
    mail: () =>
      insert(
        db
          .insert(mailsTable)
          .values({
            ...of,
            lead_id: lead.id,
            client_id: client.id,
            kind: 'notification',
            recipients: ['a@b.example'],
            state: 'refused',
          })
          .returning(),
      ),
    /** An import of clients. */
    imported: async (values: Partial<typeof importsTable.$inferInsert>) => {
      const { id: user_id } = await make.superAdmin()
      const file = { kind: 'clients' as const, file_name: 'clients.csv', size: 9, titles: ['Name'], lines: 1 }
      return insert(
        db
          .insert(importsTable)
          .values({ ...file, user_id, columns: { name: 0 }, ...values })
          .returning(),
      )
    },
    redirectDomain: () =>
      insert(
        db
          .insert(redirectDomainsTable)
          .values({ domain: `d${number}.example`, redirect_url: 'https://to.example/', domainkey: `d${number}_x` })
          .returning(),
      ),
  }
}

const on = (row: { id: number }): Sent => ({ params: { id: row.id } })
const person = (stage: WriteStage, name: string) => ({
  username: `${name}-${stage.number}`,
  email: `${name}-${stage.number}@new.example`,
  password: 'correct horse',
})
const hours = (startTime: string) =>
  Array.from({ length: 7 }, (_, day) => ({ day, enabled: day !== 0, startTime, endTime: '17:00' }))
const triangle = [
  { lat: 30.2, lng: -97.8 },
  { lat: 30.4, lng: -97.8 },
  { lat: 30.3, lng: -97.6 },
]
const campaignForm = async ({ client, number, app }: WriteStage) => ({
  name: `Example ${number}`,
  categories: [(await app.make.category()).id],
  client_id: client.id,
  client_sites: [],
  manager: 'Morgan',
  start_date: '2026-02-01',
  due_date: 5,
  initial_target: 10,
  service_fee: 1500.5,
  approved_ppc: 0,
})
const clientForm = (stage: WriteStage) => {
  const { username, email, password } = person(stage, 'buyer')
  return { name: `Buyer ${stage.number}`, user: { username, email }, password }
}
const listingForm = ({ campaign, number }: WriteStage) => ({
  title: `Listing ${number}`,
  status: 1,
  campaign_id: campaign.id,
  link: `https://maps.google.com/maps?cid=${10 ** 15 + number}`,
})
const category = (stage: WriteStage) => stage.created('/campaigncategory', { name: `Trade ${stage.number}` })
const networkCategory = (stage: WriteStage) => stage.created('/networkcategory', { name: `Blogs ${stage.number}` })
const networkSite = async (stage: WriteStage) => {
  const { id } = await networkCategory(stage)
  return stage.created('/networksite', { url: `https://net-${stage.number}.example`, category_id: id })
}
const toolLink = (stage: WriteStage) =>
  stage.created('/tool-link', { label: `Tool ${stage.number}`, url: 'https://tool.example/' })
const team = (stage: WriteStage) => stage.created('/team', { name: `Team ${stage.number}` })
const savedView = (stage: WriteStage) =>
  stage.created('/views', { table: 'leads', name: `View ${stage.number}`, query: {} })
const spammer = (stage: WriteStage) =>
  stage.created('/leads/spammers', { name: 'Spam', email: `s${stage.number}@spam.example` })
const source = (stage: WriteStage) => stage.created('/intakes', { name: 'Any', clientsite_id: stage.site.id })
const webhook = (stage: WriteStage) =>
  stage.created('/webhooks', { url: 'https://hooks.example/x', events: ['lead.created'] })
const connection = (stage: WriteStage) =>
  stage.created('/connections', { kind: 'legacy', address: `https://old-${stage.number}.example`, token: 'a-token' })
const leadForm = ({ campaign, site, number }: WriteStage) => ({
  campaign_id: campaign.id,
  clientsite_id: site.id,
  lead_date: '2026-11-20',
  lead_time: '10:30',
  lead_type: 'Form',
  lead_id: `example-${number}`,
  lead_name: 'Ada Example',
})
export const endedStatement = ({ campaign }: WriteStage) => {
  const today = getToday('America/New_York')
  const { from } = computeBillingCycle(5, addDays(computeBillingCycle(5, today).from, -1))
  return toStatementId(campaign.id, from)
}

export async function sentStatement(stage: WriteStage) {
  const id = endedStatement(stage)
  await stage.created(`/statements/${id}/send`, {})
  return id
}

/** By address. Each answers 2xx. */
export const writeExamples: Record<string, WriteExample> = {
  'POST /user/saveColumns': () => ({ body: { view: 'leads.list', hidden_columns: 'lead_email' } }),
  'POST /user/saveTable': () => ({ body: { table: 'ips', order: ['ip'], widths: {} } }),
  'POST /user/endTour': () => ({}),
  'PUT /user/settings': () => ({ body: { time_format: '24h' } }),
  'PUT /access/second-factor': () => ({
    body: { super_admin: false, admin: false, leads_handler: true, customer: false },
  }),
  'POST /admin/admins': (stage) => ({ body: person(stage, 'new-admin') }),
  'POST /admin/admins/:id': ({ admin }) => ({ ...on(admin), body: { pages: { leads: true } } }),
  'DELETE /admin/admins/:id': ({ admin }) => on(admin),
  'PATCH /admin/admins/:id/move-to-lead-handlers': ({ admin }) => on(admin),
  'POST /leads-handlers': (stage) => ({ body: person(stage, 'new-handler') }),
  'PATCH /leads-handlers/:id': ({ handler }) => ({ ...on(handler), body: { pages: { leads: true } } }),
  'DELETE /leads-handlers/:id': ({ handler }) => on(handler),
  'PATCH /leads-handlers/:id/move-to-admins': ({ handler }) => on(handler),
  'DELETE /users/:id/sessions': async ({ app, admin }) => {
    await app.as(admin)
    return on(admin)
  },
  'POST /keys': ({ number }) => ({
    body: { name: `Key ${number}`, pages: { leads: true }, access: 'read', expires_at: '2027-03-01' },
  }),
  'DELETE /keys/:id': async ({ created, number }) =>
    on(
      await created('/keys', {
        name: `Key ${number}`,
        pages: { leads: true },
        access: 'read',
        expires_at: '2027-03-01',
      }),
    ),
  'POST /admin/admins/:id/invite': ({ admin }) => on(admin),
  'POST /leads-handlers/:id/invite': ({ handler }) => on(handler),
  'POST /admin/:id/see-as': ({ admin }) => on(admin),
  'POST /erasures': ({ phone }) => ({ body: { phone, total: 1 } }),
  'POST /tool-link': ({ number }) => ({ body: { label: `Tool ${number}`, url: 'https://tool.example/' } }),
  'PUT /tool-link/:id': async (stage) => ({
    ...on(await toolLink(stage)),
    body: { label: 'Other', url: 'https://other.example/' },
  }),
  'DELETE /tool-link/:id': async (stage) => on(await toolLink(stage)),
  'POST /campaign': async (stage) => ({ body: await campaignForm(stage) }),
  'PUT /campaign/:id': async (stage) => ({ ...on(stage.campaign), body: await campaignForm(stage) }),
  'POST /campaign/:id/archive': ({ campaign }) => on(campaign),
  'POST /campaign/:id/unarchive': async ({ campaign, created }) => {
    await created(`/campaign/${campaign.id}/archive`)
    return on(campaign)
  },
  'POST /campaign/:id/area/save': ({ campaign }) => ({ ...on(campaign), body: { points: triangle } }),
  'DELETE /campaign/:id/area': async ({ campaign, created }) => {
    await created(`/campaign/${campaign.id}/area/save`, { points: triangle })
    return on(campaign)
  },
  'POST /campaign/:id/working-hours': ({ campaign }) => ({
    ...on(campaign),
    body: { timezone: 'America/Chicago', schedule: hours('09:00') },
  }),
  'POST /campaign/:id/update-note': ({ campaign }) => ({ ...on(campaign), body: { note: 'A note' } }),
  'POST /campaign/:id/update-trouble-state': ({ campaign }) => ({ ...on(campaign), body: { trouble_state: 3 } }),
  'POST /campaign/:id/toggle-is-ppc': ({ campaign }) => ({ ...on(campaign), body: {} }),
  'POST /campaigncategory': ({ number }) => ({ body: { name: `Trade ${number}` } }),
  'PUT /campaigncategory/:id': async (stage) => ({
    ...on(await category(stage)),
    body: { name: 'Other', color: '#00ff00' },
  }),
  'DELETE /campaigncategory/:id': async (stage) => on(await category(stage)),
  'POST /campaign/:id/test-lead': ({ campaign }) => ({ ...on(campaign), body: { to: 'test@agency.example' } }),
  'PUT /campaigncategory/:id/template': async (stage) => ({
    ...on(await category(stage)),
    body: { manager: 'Olivia' },
  }),
  'PUT /campaign/:id/terms': ({ campaign }) => ({
    ...on(campaign),
    body: { terms: [{ from: '2026-10-05', kind: 'per_lead', prices: { Form: 10, Call: 20 } }] },
  }),
  'POST /statements/send-batch': async ({ app, campaign, number }) => {
    // A day on which only this campaign's cycle ends: a batch sends all that the caller sees.
    const due_date = 10 + (number % 15)
    await app.context.db.update(campaignsTable).set({ due_date }).where(eq(campaignsTable.id, campaign.id))
    const { from: cycle_ends_before } = computeBillingCycle(due_date, getToday('America/New_York'))
    return { body: { cycle_ends_from: addDays(cycle_ends_before, -1), cycle_ends_before, mail: 0 } }
  },
  'POST /statements/:id/send': (stage) => ({ params: { id: endedStatement(stage) } }),
  'POST /statements/:id/mail': async (stage) => ({
    params: { id: await sentStatement(stage) },
    body: { to: ['billing@client.example'] },
  }),
  'POST /statements/:id/paid': async (stage) => ({
    params: { id: await sentStatement(stage) },
    body: { on: '2026-11-01', note: 'Check 12' },
  }),
  'POST /statements/:id/key': async (stage) => ({ params: { id: await sentStatement(stage) } }),
  'DELETE /statements/:id/key': async (stage) => ({ params: { id: await sentStatement(stage) } }),
  'POST /disputes/:id/decide': async ({ dispute }) => ({
    ...on(await dispute()),
    body: { accept: true, answer: 'You are right' },
  }),
  'POST /client': (stage) => ({ body: clientForm(stage) }),
  'PATCH /client-resource/:id': ({ client }) => ({ ...on(client), body: { name: 'Another name' } }),
  'POST /client/status': ({ client }) => ({ body: { id: client.id, is_active: 0 } }),
  'DELETE /client/:id': async (stage) => on(await stage.created('/client', clientForm(stage))),
  'POST /user/:id/remoteToken': ({ customer }) => on(customer),
  'POST /clientsite': ({ campaign, number }) => ({
    body: { url: `https://new-${number}.example`, forms_only: true, campaign_id: campaign.id },
  }),
  'PUT /clientsite/:id': ({ campaign, site, number }) => ({
    ...on(site),
    body: { url: `https://moved-${number}.example`, forms_only: true, campaign_id: campaign.id },
  }),
  'DELETE /clientsite/:id': ({ site }) => on(site),
  'POST /clientsite/:id/hook': ({ site }) => on(site),
  'POST /networksite': async (stage) => ({
    body: { url: `https://net-${stage.number}.example`, category_id: (await networkCategory(stage)).id },
  }),
  'PUT /networksite/:id': async (stage) => {
    const { id, category_id } = await networkSite(stage)
    return { params: { id }, body: { url: `https://net-${stage.number}-b.example`, category_id } }
  },
  'DELETE /networksite/:id': async (stage) => on(await networkSite(stage)),
  'POST /networkcategory': ({ number }) => ({ body: { name: `Blogs ${number}` } }),
  'PUT /networkcategory/:id': async (stage) => ({
    ...on(await networkCategory(stage)),
    body: { name: `Other ${stage.number}` },
  }),
  'DELETE /networkcategory/:id': async (stage) => on(await networkCategory(stage)),
  'POST /campaign-changelog': ({ campaign }) => ({
    body: { campaign_ids: [`campaign-${campaign.id}`], date: getToday('America/New_York'), note: 'New ads' },
  }),
  'PUT /campaign-changelog/:id': ({ campaign, item, admin }) => ({
    ...on(item),
    body: {
      campaign_ids: [`campaign-${campaign.id}`],
      date: item.date,
      note: 'Another note',
      is_task: 1,
      assignee_id: admin.id,
    },
  }),
  'DELETE /campaign-changelog/:id': ({ item }) => on(item),
  'POST /activity-log/:id/toggle-status': ({ item }) => ({ ...on(item), body: {} }),
  'POST /campaign-gmb': (stage) => ({ body: listingForm(stage) }),
  'PUT /campaign-gmb/:id': (stage) => ({ ...on(stage.gmb), body: listingForm(stage) }),
  'DELETE /campaign-gmb/:id': ({ gmb }) => on(gmb),
  'POST /campaign-gmb/:id/toggle-client-owned': ({ gmb }) => on(gmb),
  'POST /campaign-gmb/:id/toggle-client-location': ({ gmb }) => on(gmb),
  'POST /team': ({ number }) => ({ body: { name: `Team ${number}` } }),
  'PUT /team/:id': async (stage) => ({ ...on(await team(stage)), body: { name: `Other ${stage.number}` } }),
  'DELETE /team/:id': async (stage) => on(await team(stage)),
  'POST /views': ({ number }) => ({ body: { table: 'leads', name: `View ${number}`, query: {} } }),
  'PUT /views/:id': async (stage) => ({ ...on(await savedView(stage)), body: { name: `Other ${stage.number}` } }),
  'DELETE /views/:id': async (stage) => on(await savedView(stage)),
  'PUT /lead/:id': ({ lead }) => ({ ...on(lead), body: { notes: 'Called back' } }),
  'POST /lead/:id/reset-progress': async ({ lead, created }) => {
    await created(`/lead/${lead.id}`, { client_progress: 2 }, 'PUT')
    return on(lead)
  },
  'POST /lead/:id/archive': ({ lead }) => on(lead),
  'POST /lead/:id/unarchive': async ({ lead, created }) => {
    await created(`/lead/${lead.id}/archive`)
    return on(lead)
  },
  'POST /lead/create': (stage) => ({ body: leadForm(stage) }),
  'POST /leads/batch': ({ lead }) => ({ body: { ids: [lead.id], action: 'unverify' } }),
  'POST /leads/batch/:id/undo': async ({ lead, created }) =>
    on(await created('/leads/batch', { ids: [lead.id], action: 'unverify' })),
  'POST /intakes': ({ site }) => ({ body: { name: 'Any', clientsite_id: site.id } }),
  'PUT /intakes/:id': async (stage) => ({ ...on(await source(stage)), body: { name: 'Other' } }),
  'DELETE /intakes/:id': async (stage) => on(await source(stage)),
  'POST /client/:id/reports': ({ client }) => ({ ...on(client), body: { period: 'month', from: '2026-10-01' } }),
  'DELETE /report/:id': async ({ client, created }) =>
    on(await created(`/client/${client.id}/reports`, { period: 'month', from: '2026-10-01' })),
  'PUT /client/:id/report-schedule': ({ client }) => ({ ...on(client), body: { every: 'week', day: 1, hour: 8 } }),
  'PUT /agency': ({ number }) => ({ body: { name: `Agency ${number}`, color: '#224466' } }),
  'POST /leads/keywords': ({ number }) => ({ body: { keywords: `word${number}`, confirmed: true } }),
  'POST /leads/spammers': ({ number }) => ({ body: { name: 'Spam', email: `s${number}@spam.example` } }),
  'DELETE /leads/spammers/:id': async (stage) => on(await spammer(stage)),
  'POST /lead/:id/spam': ({ lead }) => ({ ...on(lead), body: {} }),
  'DELETE /lead/:id/spam': async ({ lead, created }) => {
    await created(`/lead/${lead.id}/spam`, {})
    return on(lead)
  },
  'POST /lead/send-warning/:id': ({ lead }) => on(lead),
  'POST /lead/notification/:id': ({ lead }) => on(lead),
  'POST /lead/:id/mails/:mailId/again': async ({ lead, mail }) => ({
    params: { id: lead.id, mailId: (await mail()).id },
  }),
  'POST /home/visit': () => ({}),
  'POST /signals/:id/claim': async ({ signal }) => on(await signal()),
  'DELETE /signals/:id/claim': async ({ signal, created }) => {
    const { id } = await signal()
    await created(`/signals/${id}/claim`)
    return { params: { id } }
  },
  'POST /signals/:id/mute': async ({ signal }) => ({
    ...on(await signal()),
    body: { until: addDays(getToday('America/New_York'), 3) },
  }),
  'POST /signals/:id/task': async ({ signal }) => ({ ...on(await signal()), body: {} }),
  'POST /rate/:leadId': async ({ lead, app }) => {
    const key = randomToken(128)
    const expires_at = new Date(Date.now() + msPerDay)
    const { id: lead_id, campaign_id } = lead
    await app.context.db.insert(ratingKeysTable).values({ lead_id, campaign_id, key_hash: hashSha256(key), expires_at })
    return { params: { leadId: lead.id }, query: { auth_key: key }, body: { progress: 3, rating: '4' } }
  },
  'POST /lead/:id/restore': async ({ lead, created, app }) => {
    await created(`/lead/${lead.id}`, { notes: 'First' }, 'PUT')
    const [last] = await app.context.db.select().from(auditTable).orderBy(desc(auditTable.id)).limit(1)
    return { ...on(lead), body: { audit_id: last!.id, field: 'notes' } }
  },
  'POST /imports/:id/run': async ({ imported }) => on(await imported({ state: 'checked', fresh: 1 })),
  'POST /imports/:id/undo': async ({ imported }) => on(await imported({ state: 'done', made: 1 })),
  'DELETE /imports/:id': async ({ imported }) => on(await imported({ state: 'checked' })),
  'POST /moves': async (stage) => ({ body: { connections: [(await connection(stage)).id] } }),
  'PUT /moves/:id/choices': async (stage) => {
    const move = await stage.move('ready')
    return { ...on(move), body: { choices: { '1-team-1': 'skip' } } }
  },
  'POST /moves/:id/accept': async (stage) => on(await stage.move('ready')),
  'POST /moves/:id/undo': async (stage) => on(await stage.move('done')),
  'PUT /user/watches': () => ({ body: { watches: [] } }),
  'POST /connections': ({ number }) => ({
    body: { kind: 'legacy', address: `https://older-${number}.example`, token: 'a-token' },
  }),
  'PUT /connections/:id': async (stage) => ({ ...on(await connection(stage)), body: { name: 'Old tool' } }),
  'DELETE /connections/:id': async (stage) => on(await connection(stage)),
  'PUT /home/steps/:key': () => ({ params: { key: 'google' }, body: { later: true } }),
  'POST /webhooks': () => ({ body: { url: 'https://hooks.example/x', events: ['lead.created'] } }),
  'PUT /webhooks/:id': async (stage) => ({ ...on(await webhook(stage)), body: { active: false } }),
  'DELETE /webhooks/:id': async (stage) => on(await webhook(stage)),
}

/** Writes that the walk cannot make with rows alone, by what they need. */
export const writesWithoutExample: Record<string, string[]> = {
  'a password, a code or a passkey: tested in access/': [
    'POST /user/login',
    'POST /user/client-login',
    'POST /user/authByToken',
    'POST /user/logout',
    'PUT /user',
    'POST /user/login/second',
    'POST /user/login/passkey/options',
    'POST /user/login/passkey',
    'POST /user/reauthenticate',
    'POST /user/oidc',
    'POST /user/totp',
    'PUT /user/totp',
    'DELETE /user/totp',
    'POST /user/recovery-codes',
    'POST /user/passkeys/options',
    'POST /user/passkeys',
    'DELETE /user/passkeys/:id',
    'DELETE /user/sessions/:id',
    'POST /user/forgot',
    'POST /user/reset',
    'POST /user/reset/check',
    'PUT /user/email',
    'POST /user/email/confirm',
  ],
  'nothing is written: they read, rehearse, or make a file': [
    'POST /erasures/rehearse',
    'POST /campaign/area/get-objects',
    'POST /campaign/:id/area/make',
    'POST /networksite/outgoing-links/export',
    'POST /intakes/:id/preview',
    'POST /lead/export',
    'POST /lead/chart',
    'POST /lead/chart/export',
    'POST /lead/table/export',
    'POST /leads/keywords/rehearse',
    'POST /leads/spammers/rehearse',
    'POST /user/watches/test',
    'POST /client/:id/report-schedule/test',
    'POST /gmb/locations/:id/check',
  ],
  'an outside service, a file or a job: tested beside their handlers': [
    'POST /clientsite/:id/check',
    'POST /networksite/:id/check',
    'POST /redirect_domains',
    'DELETE /redirect_domains/:id',
    'POST /campaign-changelog/files',
    'POST /agency/logo',
    'DELETE /agency/logo',
    'POST /campaign-gmb/:id/accept',
    'POST /campaign-gmb/:id/check',
    'POST /campaign-gmb/check',
    'POST /gmb/locations/:id',
    'POST /gmb/store_access_token',
    'POST /gmb/auth/:id/unlink',
    'POST /gmb/sync',
    'POST /intakes/:id/test',
    'POST /intakes/:id/replay',
    'POST /leads/rules/:id/undo',
    'POST /imports',
    'PUT /imports/:id/columns',
    'POST /connections/:id/test',
    'POST /moves/:id/invite',
    'POST /signals/:id/probe',
    'POST /webhooks/:id/test',
    'POST /webhooks/:id/deliveries/:delivery/resend',
  ],
  'a signature or a key in the address: tested in leads/intake, custom-sources, billing and client-reports': [
    'POST /statement/:key/opened',
    'POST /report/:key/opened',
    'POST /hooks/in/:key',
    'POST /hooks/callrail',
    'POST /hooks/formidable/:id',
    'POST /report-unsubscribe/:key',
  ],
  'only for a client who is signed in: tested in client-reports': ['POST /user/reports/:id/opened'],
}
