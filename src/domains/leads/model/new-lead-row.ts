import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { isSpamTag, noCampaignId } from '../labels.ts'
import { readSpamMatcher } from '../spam/server/spam-match.ts'
import { computeAutoTags, hasSpamTag, toProviderSpam } from './auto-tags.ts'
import { findNewDuplicates } from './duplicates.ts'
import { findNewFirstCalls } from './first-call.ts'
import { toPhoneKey } from './phone-key.ts'
import type { LeadCompany } from './provider-ids.ts'
import type { leadsTable } from './schema.ts'
import type { CampaignHours } from './working-hours.ts'

type LeadInsert = typeof leadsTable.$inferInsert
type DerivedColumn = 'id' | 'phone_key' | 'tag_causes' | 'phone_shared' | 'email_shared' | 'first_call' | 'version'

/** A lead as its source sends it. With `tags`, these are its tags; without, the rules for incoming leads decide. */
export type NewLead = Omit<LeadInsert, DerivedColumn> & {
  /** The working hours of its campaign; null leaves out the tags that depend on them. */
  hours: CampaignHours | null
  /** CallRail's company, whose other leads it may be one of. */
  company?: LeadCompany | undefined
  /** It happened before its source was connected: no event is recorded for webhooks. */
  is_past?: boolean
  /** The provider that flags it as spam. */
  spam_flagged_by?: string | null
  /** What another system has decided about it, as it stands: nothing of it follows from rules here. */
  moved?: Required<Pick<LeadInsert, 'tag_causes' | 'hide'>>
  /** Writes a `created` entry. Leads from a provider or a file have none. */
  audit?: { actor: AuditActor; after: Record<string, unknown> }
}
/**
 * Returns the row of each lead as it is inserted, and the spam rules that hit it. Locks the groups of the leads: their flags depend on
 * other leads, whose own flags are updated after the insert. A lead that comes with tags is not checked for spam.
 */
export async function deriveNewLeads(tx: Tx, leads: NewLead[]): Promise<{ row: LeadInsert; rules: number[] }[]> {
  const people = leads.map(({ campaign_id = noCampaignId, ...lead }) => {
    return { ...lead, campaign_id, phone_key: toPhoneKey(lead.lead_phone ?? null) }
  })
  const findSpam = await readSpamMatcher(tx, people)
  const firstCalls = await findNewFirstCalls(tx, people)
  const duplicates = await findNewDuplicates(tx, people)
  return people.map(({ hours, audit: _, company: __, is_past: ___, spam_flagged_by, moved, ...lead }, index) => {
    const spam = lead.tags ? [] : findSpam(lead)
    const flagged = spam_flagged_by ? [toProviderSpam(spam_flagged_by)] : []
    const causes = lead.tags ? [] : [...flagged, ...computeAutoTags(lead, spam, hours)]
    const row = {
      ...lead,
      ...duplicates[index],
      first_call: firstCalls[index]!,
      tags: lead.tags ?? causes.map(({ tag }) => tag),
      tag_causes: causes,
      ...(moved && { tag_causes: moved.tag_causes }),
      hide: moved?.hide ?? (lead.hide === true || (lead.tags ?? []).some(isSpamTag) || hasSpamTag(causes)),
    }
    return { row, rules: spam.map(({ rule }) => rule) }
  })
}
