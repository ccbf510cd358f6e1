import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Tx } from '#core/db/db.ts'
import { channels } from '#core/live/live.ts'
import { noCampaign } from '#domains/leads/labels.ts'
import { enqueueMails } from '#domains/leads/mail/server/enqueue.ts'
import { refreshShared } from '#domains/leads/model/duplicates.ts'
import { refreshAllFirstCalls } from '#domains/leads/model/first-call.ts'
import { phoneKey } from '#domains/leads/model/phone-key.ts'
import { holdNames, nameOf, namesTaken } from '#domains/leads/model/provider-ids.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { spamSigns } from '#domains/leads/spam/server/spam-match.ts'
import { autoTags, isSpam } from './auto-tags.ts'
import type { Told } from './parsed-event.ts'

type New = typeof leads.$inferInsert
type Made = { id: number } & Pick<
  typeof leads.$inferSelect,
  'lead_s' | 'lead_id' | 'campaign_id' | 'phone_key' | 'email_key' | 'hide'
>

/** Makes the leads that are not there yet, however many say the same at once. Answers which event made which lead. */
export async function makeLeads(tx: Tx, house: House, told: Told[]): Promise<Map<number, number>> {
  if (told.length === 0) return new Map()
  await holdNames(tx, told)
  const known = await namesTaken(tx, told)
  const fresh = told.filter((one) => !known.has(nameOf(one)))
  const firsts = new Map(fresh.toReversed().map((one) => [nameOf(one), one]))
  const made = await insert(tx, await rows(tx, [...firsts.values()]))
  await refreshAllFirstCalls(tx, made)
  await refreshShared(tx, made)
  const shown = made.filter(({ hide }) => !hide).map(({ id }) => id)
  await enqueueMails(tx, house, { leadIds: shown, kind: 'notification', requestedBy: null })
  await tellOf(tx, made)
  return new Map(made.map((lead) => [firsts.get(nameOf(lead))!.event.id, lead.id]))
}

/** Each lead with its automatic tags. */
async function rows(tx: Tx, told: Told[]): Promise<New[]> {
  const people = told.map((one) => ({ ...one, key: phoneKey(one.incoming.lead_phone) }))
  const signsOf = await spamSigns(
    tx,
    people.map(({ key, incoming }) => ({ phoneKey: key, email: incoming.lead_email })),
  )
  return people.map(({ lead_s, lead_id, incoming, site, key }) => {
    const causes = autoTags(incoming, signsOf(key, incoming.lead_email), site.hours)
    return {
      ...incoming,
      voicemail: incoming.voicemail ?? false,
      lead_s,
      lead_id,
      campaign_id: site.campaign_id ?? noCampaign,
      clientsite_id: site.id,
      phone_key: key,
      tags: causes.map(({ tag }) => tag),
      tag_causes: causes,
      hide: isSpam(causes),
    }
  })
}

async function insert(tx: Tx, values: New[]): Promise<Made[]> {
  if (values.length === 0) return []
  const { id, lead_s, lead_id, campaign_id, phone_key, email_key, hide } = leads
  return tx.insert(leads).values(values).returning({ id, lead_s, lead_id, campaign_id, phone_key, email_key, hide })
}

/** Everybody who watches the list hears of it with the commit. */
export async function tellOf(tx: Tx, made: Pick<Made, 'id' | 'campaign_id' | 'hide'>[]) {
  const news = made.map(({ id, campaign_id, hide }) => JSON.stringify({ id, campaign_id, hide }))
  await tx.execute(sql`select pg_notify(${channels.lead}, one) from unnest(${sql.param(news)}::text[]) one`)
}
