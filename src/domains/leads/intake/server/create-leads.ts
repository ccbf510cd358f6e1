import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { enqueueMails } from '#domains/leads/mail/server/enqueue.ts'
import { refreshDuplicates } from '#domains/leads/model/duplicates.ts'
import { refreshAllFirstCalls } from '#domains/leads/model/first-call.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { findTakenProviderIds, lockProviderIds, providerIdKey } from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { findSpamSigns } from '#domains/leads/spam/server/spam-match.ts'
import { computeAutoTags, hasSpamTag } from './auto-tags.ts'
import type { ParsedEvent } from './parsed-event.ts'

type NewLead = typeof leadsTable.$inferInsert
type CreatedLead = { id: number } & Pick<
  typeof leadsTable.$inferSelect,
  'lead_s' | 'lead_id' | 'campaign_id' | 'phone_key' | 'email_key' | 'hide'
>

/** Makes the leads that are not there yet, however many say the same at once. Answers which event made which lead. */
export async function createLeads(tx: Tx, context: AppContext, told: ParsedEvent[]): Promise<Map<number, number>> {
  if (told.length === 0) return new Map()
  await lockProviderIds(tx, told)
  const known = await findTakenProviderIds(tx, told)
  const fresh = told.filter((one) => !known.has(providerIdKey(one)))
  const firsts = new Map(fresh.toReversed().map((one) => [providerIdKey(one), one]))
  const made = await insertLeads(tx, await buildLeadRows(tx, [...firsts.values()]))
  await refreshAllFirstCalls(tx, made)
  await refreshDuplicates(tx, made)
  const shown = made.filter(({ hide }) => !hide).map(({ id }) => id)
  await enqueueMails(tx, context, { leadIds: shown, kind: 'notification', requestedBy: null })
  await publishNewLeads(tx, made)
  return new Map(made.map((lead) => [firsts.get(providerIdKey(lead))!.event.id, lead.id]))
}

/** Each lead with its automatic tags. */
async function buildLeadRows(tx: Tx, told: ParsedEvent[]): Promise<NewLead[]> {
  const people = told.map((one) => ({ ...one, key: toPhoneKey(one.incoming.lead_phone) }))
  const signsOf = await findSpamSigns(
    tx,
    people.map(({ key, incoming }) => ({ phoneKey: key, email: incoming.lead_email })),
  )
  return people.map(({ lead_s, lead_id, incoming, site, key }) => {
    const causes = computeAutoTags(incoming, signsOf(key, incoming.lead_email), site.hours)
    return {
      ...incoming,
      voicemail: incoming.voicemail ?? false,
      lead_s,
      lead_id,
      campaign_id: site.campaign_id ?? noCampaignId,
      clientsite_id: site.id,
      phone_key: key,
      tags: causes.map(({ tag }) => tag),
      tag_causes: causes,
      hide: hasSpamTag(causes),
    }
  })
}

async function insertLeads(tx: Tx, values: NewLead[]): Promise<CreatedLead[]> {
  if (values.length === 0) return []
  const { id, lead_s, lead_id, campaign_id, phone_key, email_key, hide } = leadsTable
  return tx
    .insert(leadsTable)
    .values(values)
    .returning({ id, lead_s, lead_id, campaign_id, phone_key, email_key, hide })
}

/** Everybody who watches the list hears of it with the commit. */
export async function publishNewLeads(tx: Tx, made: Pick<CreatedLead, 'id' | 'campaign_id' | 'hide'>[]) {
  const news = made.map(({ id, campaign_id, hide }) => JSON.stringify({ id, campaign_id, hide }))
  await tx.execute(sql`select pg_notify(${liveChannels.lead}, one) from unnest(${sql.param(news)}::text[]) one`)
}
