import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { toLeadDto } from './dto.ts'
import { lockLead, updateLead } from './store.ts'

/** Removes the verification of a lead, unless the lead has moved to another campaign or is not verified. */
export async function unverifyLead(
  tx: Tx,
  { actor, zone }: { actor: AuditActor; zone: string },
  { id, campaign_id }: { id: number; campaign_id: number },
): Promise<void> {
  const lead = await lockLead(tx, id)
  if (!lead || lead.row.campaign_id !== campaign_id || !lead.row.confirmed) return
  const set = { confirmed: false }
  const before = toLeadDto(lead.row, zone)
  await updateLead(tx, lead, { actor, zone, set, before, after: toLeadDto({ ...lead.row, ...set }, zone) })
}
