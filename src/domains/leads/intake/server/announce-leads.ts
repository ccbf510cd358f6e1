import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { enqueueMails } from '#domains/leads/mail/server/enqueue.ts'
import type { CreatedLead } from '#domains/leads/model/store.ts'

/** Mails the clients of new leads, except hidden ones, and notifies open lists. Both happen with the commit. */
export async function announceLeads(tx: Tx, context: AppContext, leads: CreatedLead[]): Promise<void> {
  if (leads.length === 0) return
  const shown = leads.filter(({ hide }) => !hide).map(({ id }) => id)
  await enqueueMails(tx, context, { leadIds: shown, kind: 'notification', requestedBy: null })
  await notifyOfLeads(tx, leads)
}

/** Notifies open lists of leads that came in, or that a person should see again. */
export async function notifyOfLeads(tx: Tx, leads: Pick<CreatedLead, 'id' | 'campaign_id' | 'hide'>[]): Promise<void> {
  const news = leads.map(({ id, campaign_id, hide }) => JSON.stringify({ id, campaign_id, hide }))
  await tx.execute(sql`select pg_notify(${liveChannels.lead}, one) from unnest(${sql.param(news)}::text[]) one`)
}
