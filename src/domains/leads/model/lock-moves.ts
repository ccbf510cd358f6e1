import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { StoredLead } from './dto.ts'
import { duplicateKeyColumns, findTouchedKeys, lockDuplicates } from './duplicates.ts'
import { lockFirstCalls } from './first-call.ts'
import { lockKeys } from './lock-keys.ts'
import { toPhoneKey } from './phone-key.ts'
import { leadsTable } from './schema.ts'

/** The new values that other leads depend on. They decide what is locked before the row. */
export type LeadReach = Partial<
  Pick<StoredLead, 'lead_s' | 'lead_id' | 'campaign_id' | 'lead_phone' | 'lead_email'>
> & {
  /** The type or time may change, and with it the first call. */
  reorders?: boolean
}

/** Locks the groups that leads leave and join. While the locks are held, no other change moves these leads. */
export async function lockMoves(tx: Tx, leads: [id: number, reach: LeadReach][]): Promise<void> {
  const moves = leads.filter(([, reach]) => changesFirstCalls(reach) || reach.lead_email !== undefined)
  if (moves.length === 0) return
  await lockKeys(
    tx,
    moves.map(([id]) => `moving lead ${id}`),
  )
  const firstCalls = []
  const duplicates = []
  for (const [id, reach] of moves) {
    const groups = await readMovedGroups(tx, id, reach)
    if (!groups) continue
    const { from, to } = groups
    if (changesFirstCalls(reach)) firstCalls.push(from, to)
    // A lead that moves to another campaign is deleted and inserted again, so none of its flags may be set in between.
    duplicates.push(...(from.campaign_id === to.campaign_id ? findTouchedKeys(from, to) : [from, to]))
  }
  await lockFirstCalls(tx, firstCalls)
  await lockDuplicates(tx, duplicates)
}

const changesFirstCalls = ({ campaign_id, lead_phone, reorders = false }: LeadReach) =>
  campaign_id !== undefined || lead_phone !== undefined || reorders

async function readMovedGroups(tx: Tx, id: number, reach: LeadReach) {
  const [from] = await tx
    .select({
      campaign_id: leadsTable.campaign_id,
      ...duplicateKeyColumns,
      // PostgreSQL lowercases the new email, as it does for the column.
      new_email: sql<string | null>`lower(${reach.lead_email ?? null}::text)`,
    })
    .from(leadsTable)
    .where(eq(leadsTable.id, id))
  const to = from && {
    campaign_id: reach.campaign_id ?? from.campaign_id,
    phone_key: reach.lead_phone === undefined ? from.phone_key : toPhoneKey(reach.lead_phone),
    email_key: reach.lead_email === undefined ? from.email_key : from.new_email,
  }
  return from && to && { from, to }
}
