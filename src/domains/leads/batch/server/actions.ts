import type { LeadTag } from '#domains/leads/labels.ts'
import { dropWords, findClientMove, type readCampaignClients } from '#domains/leads/model/client-moves.ts'
import { type StoredLead, toTagColumns } from '#domains/leads/model/dto.ts'
import type { BatchAct } from '../contract.ts'
import type { LeadValues } from '../schema.ts'

type LeadSet = Partial<StoredLead>
type CampaignClients = Awaited<ReturnType<typeof readCampaignClients>>

/** Returns what an action sets on this lead, or why there is nothing to do. */
export function resolveAct(
  lead: StoredLead,
  act: Exclude<BatchAct, { action: 'spam' | 'undo_rule' }>,
  clients: CampaignClients,
): { set: LeadSet } | { reason: string } {
  switch (act.action) {
    case 'verify':
      return lead.confirmed ? { reason: 'Already verified' } : { set: { confirmed: true } }
    case 'unverify':
      return lead.confirmed ? { set: { confirmed: false } } : { reason: 'Not verified' }
    case 'hide':
      return lead.hide ? { reason: 'Already hidden' } : { set: { hide: true } }
    case 'unhide':
      return lead.hide ? { set: { hide: false } } : { reason: 'Not hidden' }
    case 'archive':
      return lead.archived ? { reason: 'Already archived' } : { set: { archived: true } }
    case 'unarchive':
      return lead.archived ? { set: { archived: false } } : { reason: 'Not archived' }
    case 'tag':
      return lead.tags.includes(act.value) ? { reason: 'Already has this tag' } : { set: addTag(lead, act.value) }
    case 'untag':
      return lead.tags.includes(act.value)
        ? { set: removeTags(lead, [act.value]) }
        : { reason: 'Does not have this tag' }
    case 'move': {
      const { campaign_id, clientsite_id } = act.value
      const isThere = lead.campaign_id === campaign_id && lead.clientsite_id === clientsite_id
      if (isThere) return { reason: 'Already there' }
      const set = { campaign_id, clientsite_id }
      return { set: findClientMove(clients, lead, set) ? dropWords(lead, set) : set }
    }
  }
}

const addTag = (lead: StoredLead, tag: LeadTag) => toTagColumns(lead, [...lead.tags, tag])
const removeTags = (lead: StoredLead, tags: LeadTag[]) =>
  toTagColumns(
    lead,
    lead.tags.filter((tag) => !tags.includes(tag)),
  )

/** Returns the changes that restore the columns a batch set. Columns that the program has changed since stay. */
export function resolveUndo(lead: StoredLead, before: LeadValues, after: LeadValues): LeadSet {
  const now: LeadValues = lead
  const isSame = (column: string) => JSON.stringify(now[column]) === JSON.stringify(after[column])
  const { tags: _tags, tag_causes: _causes, ...plain } = before
  const set: LeadSet = Object.fromEntries(Object.entries(plain).filter(([column]) => isSame(column)))
  if (before.tags === undefined) return set
  const [had, got] = [before, after] as Required<LeadSet>[] // set together with tags
  if (isSame('tags') && isSame('tag_causes')) return { ...set, tags: had!.tags, tag_causes: had!.tag_causes }
  const added = got!.tags.filter((tag) => !had!.tags.includes(tag))
  const removed = had!.tags.filter((tag) => !got!.tags.includes(tag) && !lead.tags.includes(tag))
  const kept = removeTags(lead, added)
  return {
    ...set,
    tags: [...(kept.tags ?? []), ...removed],
    tag_causes: [...(kept.tag_causes ?? []), ...had!.tag_causes.filter(({ tag }) => removed.includes(tag))],
  }
}
