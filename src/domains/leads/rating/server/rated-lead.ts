import { and, eq, gt, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { sameBytes, sha256 } from '#core/secrets/secrets.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { leads } from '#domains/leads/model/schema.ts'
import type { RatedLead } from '../contract.ts'
import { ratingKeys } from '../schema.ts'

/**
 * The lead that a key opens. An unknown lead, a wrong or expired key and a hidden lead are all the same: null. Each of the
 * lead's keys is compared, in the same time whether it fits or not.
 */
export async function findOpened(
  db: Queries,
  lead: string,
  key: string,
): Promise<{ leadId: number; keyId: number } | null> {
  const leadId = /^\d{1,9}$/.test(lead) ? Number(lead) : 0 // none has this id
  const given = sha256(key)
  const keys = await db
    .select({ id: ratingKeys.id, hash: ratingKeys.key_hash })
    .from(ratingKeys)
    .innerJoin(
      leads,
      and(eq(leads.id, ratingKeys.lead_id), eq(leads.campaign_id, ratingKeys.campaign_id), eq(leads.hide, false)),
    )
    .where(and(eq(ratingKeys.lead_id, leadId), gt(ratingKeys.expires_at, sql`now()`)))
  const [fitting] = keys.filter(({ hash }) => sameBytes(hash, given))
  return fitting ? { leadId, keyId: fitting.id } : null
}

/** Whether there is a recording to play, in the place of its address, which is made for each reader. */
type Opened = Omit<RatedLead, 'recording'> & { isRecorded: boolean }

/** The lead as the holder of its key reads it: nothing of the agency's own. Times are in the agency's zone. */
export async function readLead(db: Queries, leadId: number, zone: string): Promise<Opened | null> {
  const local = (format: string) =>
    sql<string>`to_char(${leads.occurred_at} at time zone ${zone}, ${sql.raw(`'${format}'`)})`
  const [lead] = await db
    .select({
      campaign: campaigns.name,
      name: leads.lead_name,
      type: leads.lead_type,
      date: local('YYYY-MM-DD'),
      time: local('HH24:MI'),
      email: leads.lead_email,
      phone: leads.lead_phone,
      location: leads.lead_location,
      message: leads.message,
      isRecorded: sql<boolean>`${leads.recording_url} is not null`,
      notes: leads.notes,
      tags: leads.tags,
      progress: leads.client_progress,
      rating: sql<RatedLead['rating']>`${leads.rating}::text`,
      company_name: leads.company_name,
      client_notes: leads.client_notes,
      value: leads.client_value,
      profit: leads.client_profit,
    })
    .from(leads)
    .leftJoin(campaigns, eq(campaigns.id, leads.campaign_id))
    .where(eq(leads.id, leadId))
  return lead ?? null
}
