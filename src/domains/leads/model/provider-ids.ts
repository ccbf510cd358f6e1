import { sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import type { StoredLead } from './dto.ts'
import { lockKeys } from './lock-keys.ts'
import { leadsTable } from './schema.ts'

/** What the provider calls a lead. */
export type LeadProviderId = Pick<StoredLead, 'lead_s' | 'lead_id'>

export const providerIdKey = ({ lead_s, lead_id }: LeadProviderId) => `${lead_s} ${lead_id}`

/**
 * Locks these names until the transaction ends; look which are taken after this. The unique index alone is not enough: where leads
 * are sharded it holds within one campaign only.
 */
export const lockProviderIds = (tx: Tx, names: LeadProviderId[]): Promise<void> =>
  lockKeys(
    tx,
    names.map((name) => `lead ${providerIdKey(name)}`),
  )

/** Returns the names that a lead has, in any campaign, as `providerIdKey` spells them. */
export async function findTakenProviderIds(db: DbOrTx, names: LeadProviderId[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const found = await db
    .select({ lead_s: leadsTable.lead_s, lead_id: leadsTable.lead_id })
    .from(leadsTable)
    .where(providerIdCondition(names))
  return new Set(found.map(providerIdKey))
}

/** Returns the leads of these names, by `providerIdKey`. */
export async function findLeadsByProviderId(db: DbOrTx, names: LeadProviderId[]): Promise<Map<string, StoredLead>> {
  if (names.length === 0) return new Map()
  const rows = await db.select().from(leadsTable).where(providerIdCondition(names))
  return new Map(rows.map((row) => [providerIdKey(row), row]))
}

function providerIdCondition(names: LeadProviderId[]) {
  const asked = JSON.stringify(names.map(({ lead_s, lead_id }) => ({ lead_s, lead_id })))
  return sql`(${leadsTable.lead_s}, ${leadsTable.lead_id}) in (
    select lead_s, lead_id from json_to_recordset(${asked}) one (lead_s text, lead_id text))`
}

/** Throws 409 where another lead than `own` has the name, which the caller has locked. */
export async function assertProviderIdFree(tx: Tx, name: LeadProviderId, own: number): Promise<void> {
  const known = (await findLeadsByProviderId(tx, [name])).get(providerIdKey(name))
  if (known && known.id !== own) throw providerIdTakenError()
}

export const providerIdTakenError = () =>
  new HttpError(409, providerIdTakenMessage, { lead_id: [providerIdTakenMessage] })
const providerIdTakenMessage = 'There already is a lead with this source and ID'
