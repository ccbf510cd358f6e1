import { sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { lockKeys } from './lock-keys.ts'
import { leadsTable } from './schema.ts'

type LeadRow = typeof leadsTable.$inferSelect
/** What the provider calls a lead. */
export type LeadProviderId = Pick<LeadRow, 'lead_s' | 'lead_id'>

export const providerIdKey = ({ lead_s, lead_id }: LeadProviderId) => `${lead_s} ${lead_id}`

/**
 * Whoever makes leads of these names takes turns, and looks what is there after this: where leads are spread over machines, an
 * index keeps a name unique within a campaign only, and a lead may have been given to another. Call it before all else is held.
 */
export const lockProviderIds = (tx: Tx, names: LeadProviderId[]): Promise<void> =>
  lockKeys(
    tx,
    names.map((name) => `lead ${providerIdKey(name)}`),
  )

/** The names that a lead has, in whatever campaign. */
export async function findTakenProviderIds(db: DbOrTx, names: LeadProviderId[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const found = await db
    .select({ lead_s: leadsTable.lead_s, lead_id: leadsTable.lead_id })
    .from(leadsTable)
    .where(providerIdCondition(names))
  return new Set(found.map(providerIdKey))
}

/** The leads of these names, by them. */
export async function findLeadsByProviderId(db: DbOrTx, names: LeadProviderId[]): Promise<Map<string, LeadRow>> {
  if (names.length === 0) return new Map()
  const rows = await db.select().from(leadsTable).where(providerIdCondition(names))
  return new Map(rows.map((row) => [providerIdKey(row), row]))
}

function providerIdCondition(names: LeadProviderId[]) {
  const asked = JSON.stringify(names.map(({ lead_s, lead_id }) => ({ lead_s, lead_id })))
  return sql`(${leadsTable.lead_s}, ${leadsTable.lead_id}) in (
    select lead_s, lead_id from json_to_recordset(${asked}) one (lead_s text, lead_id text))`
}

/** 409 where another lead than this one has the name, which the caller holds. */
export async function assertProviderIdFree(tx: Tx, name: LeadProviderId, own?: number): Promise<void> {
  const known = (await findLeadsByProviderId(tx, [name])).get(providerIdKey(name))
  if (known && known.id !== own) throw new HttpError(409, providerIdTakenMessage, { lead_id: [providerIdTakenMessage] })
}
const providerIdTakenMessage = 'There already is a lead with this source and ID'
