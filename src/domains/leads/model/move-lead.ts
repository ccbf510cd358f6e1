import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { describeMove, dropWords, findClientMove, followMoves, readCampaignClients } from './client-moves.ts'
import { type StoredLead, toLeadDto } from './dto.ts'
import { lockLead, updateLead } from './store.ts'

type LeadMove = {
  id: number
  from: number
  to: number
  /** Whether it stays a lead of its client site. */
  keepsSite: boolean
  /** Runs while the lead is locked, before it moves. */
  before: () => Promise<void>
}

/** Gives a lead to another client’s campaign, or to none. Returns false if it is not in its campaign any more. It stays verified. */
export async function moveLead(
  tx: Tx,
  { actor, zone }: { actor: AuditActor; zone: string },
  { id, from, to, keepsSite, before }: LeadMove,
): Promise<boolean> {
  const lead = await lockLead(tx, id, { campaign_id: to })
  if (lead?.row.campaign_id !== from) return false
  await before()
  const wanted: Partial<StoredLead> = { campaign_id: to, ...(!keepsSite && { clientsite_id: null }) }
  const move = findClientMove(await readCampaignClients(tx, [from, to]), lead.row, { campaign_id: to })
  const set = move ? dropWords(lead.row, wanted) : wanted
  const changed = { ...lead.row, ...set }
  const entry = move && describeMove(move, lead.row, changed)
  await updateLead(tx, lead, {
    actor,
    zone,
    set,
    before: { ...toLeadDto(lead.row, zone), ...entry?.before },
    after: { ...toLeadDto(changed, zone), ...entry?.after },
  })
  await followMoves(tx, actor, [{ before: lead.row, after: changed, move, putBack: false }])
  return true
}
