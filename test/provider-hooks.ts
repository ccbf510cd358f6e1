import { asc, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { computeCallRailSignature } from '#integrations/callrail/webhook.ts'
import { type App, startApp } from './app.ts'

/** Requests as the providers send them. */

let count = 0

/** Returns CallRail's post-call payload of a missed call, on a Monday at 11:00 in Chicago. */
export function postCall(values: Record<string, unknown> = {}) {
  count += 1
  return {
    answered: false,
    business_phone_number: '+15125550191',
    call_type: 'missed',
    company_id: 422269185,
    company_name: 'Example Roofing',
    company_time_zone: 'America/Chicago',
    created_at: '2026-03-16T11:00:05.000-05:00',
    customer_city: 'Austin',
    customer_country: 'US',
    customer_name: 'Jane Sample',
    customer_phone_number: `+1512555${String(1000 + count).slice(-4)}`,
    customer_state: 'TX',
    direction: 'inbound',
    duration: '45',
    first_call: false,
    formatted_customer_location: 'Austin, TX',
    formatted_duration: '45s',
    formatted_tracking_source: 'Google Organic',
    recording: '',
    recording_duration: '',
    source: 'Google Organic',
    source_name: 'Website Pool',
    start_time: '2026-03-16T11:00:00.000-05:00',
    tags: ['goodtag'],
    tracking_phone_number: '+15125550180',
    transcription: '',
    voicemail: false,
    keywords: 'roof repair',
    referring_url: '',
    landing_page_url: '',
    last_requested_url: '',
    gclid: '',
    note: '',
    resource_id: `CAL${process.pid}x${count}`,
    company_resource_id: 'COM1',
    ...values,
  }
}

export const callRailKey = 'key-of-the-agency'

/** An app with a worker, a client site that CallRail sends calls of, one with a form, and what has come of the events. */
export async function startIntakeApp() {
  const app = await startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } })
  const { db } = app.context
  const site = await app.make.clientSite({ callrail_campaign_identifier: 'COM1' })
  const form = await app.make.clientSite({ key: 'key-of-the-form' })
  const leadOf = async (lead_id: string) =>
    (await db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id)))[0]
  const events = () => db.select().from(inboundEventsTable).orderBy(asc(inboundEventsTable.id))
  const lastEvent = async () => (await events()).at(-1)!
  return { app, site, form, leadOf, events, lastEvent, close: app.close }
}

/** Sends a body to the CallRail hook, with a valid signature by default. */
export function sendCallRail(app: App, body: unknown, options: { key?: string; signature?: string | null } = {}) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const signature =
    options.signature === undefined ? computeCallRailSignature(options.key ?? callRailKey, bytes) : options.signature
  return app.guest.fetch('/api/hooks/callrail', {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/json', ...(signature === null ? {} : { signature }) },
  })
}

/** Sends an entry to the form hook of a site. */
export function sendForm(
  app: App,
  siteId: number,
  key: string,
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  return app.guest.fetch(`/api/hooks/formidable/${siteId}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { authorization: `Basic ${Buffer.from(`${key}:x`).toString('base64')}`, ...headers },
  })
}

/** Waits until the worker has processed every stored event. */
export async function waitForIntake({ context }: App) {
  const waiting = async () => {
    const found = await context.db.execute<{ count: number }>(
      sql`select count(*)::int as count from inbound_events where state = 'stored'`,
    )
    return found.rows[0]!.count
  }
  await expect.poll(waiting, { timeout: 40_000, interval: 20 }).toBe(0)
  // On Citus the coordinator commits before the machines with the leads do, and keeps its locks until they have.
  await context.db.transaction((tx) => tx.execute(sql`lock table inbound_events in share mode`))
}
