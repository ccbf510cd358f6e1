import type { Lead, LeadFilters } from '#domains/leads/contract.ts'
import { type LeadTag, noCampaignId, wonProgress } from '#domains/leads/labels.ts'
import { type LeadChange, leadChangesSchema } from '#domains/leads/live-changes.ts'
import type { RowMark } from '#ui/data/saved-rows.ts'
import { deriveFields, type ShownLead } from './lead-mutations.ts'
import { isInQueue } from './lead-queues.ts'

type ChangedList = {
  rows: readonly ShownLead[] | undefined
  filters: Partial<LeadFilters>
  isArchive: boolean
}
type ResolvedChange = { id: number; fields: Partial<ShownLead>; mark: RowMark | undefined }

/** Returns what an event `change` changes in the rows of a list, and how they are marked. */
export function resolveChanges(event: string, list: ChangedList): ResolvedChange[] {
  const { mine, leads } = leadChangesSchema.parse(JSON.parse(event))
  return leads.flatMap((change): ResolvedChange[] => {
    const lead = list.rows?.find(({ id }) => id === change.id)
    // A row that was read later, or that this tab has written, has it already.
    if (!lead || lead.version >= change.version) return []
    const fields = toLeadFields(lead, change)
    const isListed = !change.gone && matchesList({ ...lead, ...fields }, change, list)
    // Of what this person did, here or in another tab, a row says only that it no longer matches, unless they saw it leave.
    const isUnmarked = mine && (isListed || !matchesList(lead, {}, list))
    return [{ id: lead.id, fields, mark: isUnmarked ? undefined : describeMark(change, isListed) }]
  })
}

function describeMark({ fields, moved, gone }: LeadChange, isListed: boolean): RowMark {
  if (!gone && fields.archived !== undefined) return fields.archived === 1 ? 'archived' : 'unarchived'
  if (!gone && moved !== undefined) return 'moved'
  return isListed ? 'changed' : 'unmatched'
}

/** Returns the changed fields as the row has them. With all of them, a row that missed none before is as new as the change; else they are. */
function toLeadFields(lead: ShownLead, { fields, version, whole }: LeadChange): Partial<ShownLead> {
  const read = { ...fields } as Partial<Lead> // of the form that `announceChanges` gives them
  if ('tags' in fields) {
    const known = new Map(lead.tags?.map((tag) => [tag.name, tag]))
    read.tags = (fields.tags as LeadTag[]).map((name) => known.get(name) ?? { name })
  }
  const derived = read.tags && deriveFields('tags', read.tags)
  const newer = Object.fromEntries(Object.keys(fields).map((name) => [name, version]))
  const isAsNew = whole && version === lead.version + 1
  return Object.assign(read, derived, isAsNew ? { version } : { live: { ...lead.live, ...newer } })
}

/** Returns whether a lead still meets the filters on what may have changed; the others are for the server to know. */
function matchesList(
  lead: Lead,
  { moved = lead.campaign_id ?? noCampaignId }: Pick<LeadChange, 'moved'>,
  { filters, isArchive }: ChangedList,
): boolean {
  const { campaign_ids, has_campaign, no_campaign, tags, queue, client_progress, rating_via: via } = filters
  const isChecked = Object.entries(checks).every(([name, check]) => !filters[name as keyof LeadFilters] || check(lead))
  return (
    isChecked &&
    (lead.archived === 1) === isArchive &&
    (!queue || isInQueue(queue, lead)) &&
    (!tags?.length || tags.some((tag) => hasTag(lead, tag))) &&
    (!client_progress || lead.client_progress === Number(client_progress)) &&
    (!via || (via === 'unconfirmed' ? lead.rating_unconfirmed === 1 : lead.rating_via === via)) &&
    (!has_campaign || moved !== noCampaignId) &&
    (!no_campaign || moved === noCampaignId) &&
    (!campaign_ids?.length || campaign_ids.some((id) => id === moved))
  )
}

const hasTag = (lead: Lead, name: LeadTag) => lead.tags?.some((tag) => tag.name === name) ?? false
/** To the server a star that is not confirmed yet is neither a rating nor feedback. */
const hasCountedRating = ({ rating, rating_unconfirmed }: Pick<Lead, 'rating' | 'rating_unconfirmed'>) =>
  rating !== null && rating_unconfirmed !== 1
const isWon = (lead: Lead) => lead.client_progress === wonProgress

/** The filters that are on or off, where what they test is among `liveFields`. */
const checks: { [Name in keyof LeadFilters]?: (lead: Lead) => boolean } = {
  confirmed: (lead) => lead.confirmed === 1,
  unmarked: (lead) => lead.confirmed !== 1 && lead.hide !== 1 && !lead.tags?.length,
  missed: (lead) => lead.confirmed !== 1 && lead.missed_call,
  voicemail: (lead) => hasTag(lead, 'Voicemail'),
  voicemail_issues: (lead) => hasTag(lead, 'Voicemail Issues'),
  value: (lead) => lead.client_value !== null,
  profit: (lead) => lead.client_profit !== null,
  won_value: (lead) => isWon(lead) && lead.client_value !== null,
  won_profit: (lead) => isWon(lead) && lead.client_profit !== null,
  rating: (lead) => lead.rating !== null,
  not_rated: (lead) => !hasCountedRating(lead),
  no_feedback: ({ client_progress, client_value, client_profit, company_name, client_notes, ...lead }) =>
    !hasCountedRating(lead) &&
    [client_progress, client_value, client_profit, company_name, client_notes].every((one) => one === null),
}
