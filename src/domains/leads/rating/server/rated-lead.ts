import { and, eq, gt, sql } from 'drizzle-orm'
import { idField } from '#contract/fields.ts'
import { getZoneName } from '#contract/zoned-time.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { hashSha256, isEqualBytes } from '#core/secrets/secrets.ts'
import { readDisputeAnswer } from '#domains/billing/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { shownRatingColumn } from '#domains/leads/model/facets.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { RatedLead } from '../contract.ts'
import { ratingKeysTable } from '../schema.ts'

/** `sentAt` is when the mail with the key was sent. */
type OpenedKey = { leadId: number; keyId: number; sentAt: Date }

/**
 * Returns the lead of a key; null alike for an unknown lead, a wrong or expired key, and a hidden lead. Compares all of the lead's
 * keys in constant time.
 */
export async function findLeadByKey(db: DbOrTx, lead: string, key: string): Promise<OpenedKey | null> {
  const leadId = parseLeadId(lead)
  const given = hashSha256(key)
  const keys = await db
    .select({ id: ratingKeysTable.id, hash: ratingKeysTable.key_hash, sentAt: ratingKeysTable.created_at })
    .from(ratingKeysTable)
    .innerJoin(
      leadsTable,
      and(
        eq(leadsTable.id, ratingKeysTable.lead_id),
        eq(leadsTable.campaign_id, ratingKeysTable.campaign_id),
        eq(leadsTable.hide, false),
      ),
    )
    .where(and(eq(ratingKeysTable.lead_id, leadId), gt(ratingKeysTable.expires_at, sql`now()`)))
  const [fitting] = keys.filter(({ hash }) => isEqualBytes(hash, given))
  return fitting ? { leadId, keyId: fitting.id, sentAt: fitting.sentAt } : null
}

/** Returns 0, which no lead has, for anything but an id. */
function parseLeadId(text: string): number {
  const { success, data } = idField.safeParse(/^\d{1,10}$/.test(text) ? Number(text) : 0)
  return success ? data : 0
}

/** Has a flag instead of the recording's URL, which is created for each reader. */
type OpenedLead = Omit<RatedLead, 'recording' | 'agency'> & { isRecorded: boolean }

/** Reads the lead for the holder of its key, without the agency's own fields. Times are in the client's zone. */
export async function readRatedLead(db: DbOrTx, leadId: number, agencyZone: string): Promise<OpenedLead | null> {
  const zone = sql`coalesce(${clientsTable.timezone}, ${agencyZone}::text)`
  const local = (format: string) =>
    sql<string>`to_char(${leadsTable.occurred_at} at time zone ${zone}, ${sql.raw(`'${format}'`)})`
  const [lead] = await db
    .select({
      campaign_id: leadsTable.campaign_id,
      campaign: campaignsTable.name,
      name: leadsTable.lead_name,
      type: leadsTable.lead_type,
      date: local('YYYY-MM-DD'),
      time: local('HH24:MI'),
      occurred_at: leadsTable.occurred_at,
      zone: sql<string>`${zone}`,
      email: leadsTable.lead_email,
      phone: leadsTable.lead_phone,
      location: leadsTable.lead_location,
      message: leadsTable.message,
      isRecorded: sql<boolean>`${leadsTable.recording_url} is not null`,
      notes: leadsTable.notes,
      tags: leadsTable.tags,
      progress: leadsTable.client_progress,
      rating: sql<RatedLead['rating']>`${shownRatingColumn}::text`,
      company_name: leadsTable.company_name,
      client_notes: leadsTable.client_notes,
      value: leadsTable.client_value,
      profit: leadsTable.client_profit,
    })
    .from(leadsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, leadsTable.campaign_id))
    .leftJoin(clientsTable, eq(clientsTable.id, campaignsTable.client_id))
    .where(eq(leadsTable.id, leadId))
  if (!lead) return null
  const { campaign_id, occurred_at, zone: leadZone, ...shown } = lead
  const dispute = await readDisputeAnswer(db, { id: leadId, campaign_id })
  return { ...shown, timezone_name: getZoneName(occurred_at, leadZone), ...(dispute && { dispute }) }
}
