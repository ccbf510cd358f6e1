import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { idField } from '#contract/fields.ts'
import { getZoneName } from '#contract/zoned-time.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { hashSha256, isEqualBytes } from '#core/secrets/secrets.ts'
import { readDisputeAnswer } from '#domains/billing/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { isClientActive } from '#domains/clients/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { shownRatingColumn } from '#domains/leads/model/facets.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { RatedLead } from '../contract.ts'
import { ratingKeysTable, ratingSavesTable } from '../schema.ts'
import { choosingMs } from './scanner-burst.ts'

/** `sentAt` is when the mail with the key was sent. */
type OpenedKey = { leadId: number; keyId: number; sentAt: Date }
/** The client whose key it is no longer has the lead. */
type ReassignedKey = { leadId: number; lostBy: number }

/**
 * Returns the lead of a key; null alike for an unknown lead, a wrong or expired key, a hidden lead, and while the key's
 * client is switched off. Compares all of the lead's keys in constant time.
 */
export async function findLeadByKey(db: DbOrTx, lead: string, key: string): Promise<OpenedKey | ReassignedKey | null> {
  const leadId = parseLeadId(lead)
  const given = hashSha256(key)
  const keys = await selectKeys(db, eq(ratingKeysTable.lead_id, leadId))
  const [fitting] = keys.filter(({ hash }) => isEqualBytes(hash, given))
  if (!fitting) return null
  const { id, holder, client, hide, sentAt } = fitting
  if (!(await isHolderActive(db, fitting))) return null
  if (holder !== null && holder !== client) return { leadId, lostBy: holder }
  return hide ? null : { leadId, keyId: id, sentAt }
}

/** Returns whether a key still opens its lead. */
export async function isKeyOpen(db: DbOrTx, keyId: number): Promise<boolean> {
  const [key] = await selectKeys(db, eq(ratingKeysTable.id, keyId))
  if (!key || key.hide || (key.holder !== null && key.holder !== key.client)) return false
  return isHolderActive(db, key)
}

async function isHolderActive(db: DbOrTx, { holder, client }: { holder: number | null; client: number | null }) {
  const id = holder ?? client
  return id === null || isClientActive(db, id)
}

/** Reads keys that have not expired, each with the client who holds it and the client whose lead it is now. */
const selectKeys = (db: DbOrTx, which: SQL) =>
  db
    .select({
      id: ratingKeysTable.id,
      hash: ratingKeysTable.key_hash,
      sentAt: ratingKeysTable.created_at,
      holder: sql<number | null>`coalesce(${ratingKeysTable.client_id}, ${mailsTable.client_id})`,
      client: campaignsTable.client_id,
      hide: leadsTable.hide,
    })
    .from(ratingKeysTable)
    .innerJoin(
      leadsTable,
      and(eq(leadsTable.id, ratingKeysTable.lead_id), eq(leadsTable.campaign_id, ratingKeysTable.campaign_id)),
    )
    .leftJoin(
      mailsTable,
      and(eq(mailsTable.id, ratingKeysTable.mail_id), eq(mailsTable.campaign_id, ratingKeysTable.campaign_id)),
    )
    .leftJoin(campaignsTable, eq(campaignsTable.id, leadsTable.campaign_id))
    .where(and(which, gt(ratingKeysTable.expires_at, sql`now()`)))

/** Returns 0, which no lead has, for anything but an id. */
function parseLeadId(text: string): number {
  const { success, data } = idField.safeParse(/^\d{1,10}$/.test(text) ? Number(text) : 0)
  return success ? data : 0
}

/** Has a flag instead of the recording's URL, which is created for each reader. */
type OpenedLead = Omit<RatedLead, 'recording' | 'agency' | 'earlier_choice'> & { isRecorded: boolean }

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
  const dispute = await readOwnDispute(db, { id: leadId, campaign_id }, agencyZone)
  return { ...shown, timezone_name: getZoneName(occurred_at, leadZone), ...(dispute && { dispute }) }
}

/** Returns the latest Not Lead of the client who has the lead now, if there is one. */
export async function readOwnDispute(
  db: DbOrTx,
  lead: { id: number; campaign_id: number },
  zone: string,
): Promise<RatedLead['dispute']> {
  const [campaign] = await db
    .select({ client_id: campaignsTable.client_id })
    .from(campaignsTable)
    .where(eq(campaignsTable.id, lead.campaign_id))
  const clientId = campaign?.client_id ?? null
  if (clientId === null) return undefined
  return (await readDisputeAnswer(db, { leadId: lead.id, clientId, zone })) ?? undefined
}

/**
 * Returns the star that the links of a mail chose within the last minutes: of several, not the one that waits for a person. Null if a
 * person has confirmed since.
 */
export async function readEarlierChoice(db: DbOrTx, keyId: number): Promise<RatedLead['earlier_choice']> {
  const { rows } = await db.execute<{ choice: RatedLead['earlier_choice'] }>(sql`
    select save.choice from ${ratingSavesTable} save
    join ${leadsTable} lead on lead.id = save.lead_id and lead.campaign_id = save.campaign_id
    where save.key_id = ${keyId} and save.auto and save.outcome = 'counted' and save.choice ~ '^[1-5]$'
      and save.at > now() - make_interval(secs => ${choosingMs / 1000})
      and not exists (select from ${ratingSavesTable} theirs where theirs.lead_id = save.lead_id and theirs.campaign_id = save.campaign_id
        and not theirs.auto and theirs.at >= save.at)
    order by save.choice is not distinct from lead.unconfirmed_rating::text, save.at desc, save.id desc limit 1`)
  return rows[0]?.choice ?? null
}
