import type { LeadTag } from '../labels.ts'
import type { SpamSigns } from '../spam/server/spam-match.ts'
import type { leadsTable, TagCause } from './schema.ts'
import { type CampaignHours, checkWorkingTime } from './working-hours.ts'

type LeadInsert = typeof leadsTable.$inferInsert
/** What the rules look at. */
type TaggedLead = CallFacts & Pick<LeadInsert, 'lead_name' | 'lead_email' | 'message' | 'last_url'>
type CallFacts = Pick<LeadInsert, 'lead_type' | 'occurred_at' | 'duration' | 'answered' | 'call_type'> & {
  voicemail?: boolean | null | undefined
}

/** In the order they are applied. */
export const autoSpamTags: readonly LeadTag[] = ['Autospam', 'BLSpam']
export const autoCallTags: readonly LeadTag[] = ['Voicemail', 'After Hours', 'Auto Missed Call']

/** Returns every automatic tag of a new lead, in order, each with its cause. */
export const computeAutoTags = (lead: TaggedLead, signs: SpamSigns, hours: CampaignHours | null): TagCause[] => [
  ...computeSpamTags(lead, signs),
  ...computeCallTags(lead, hours),
]

export const hasSpamTag = (causes: TagCause[]): boolean => causes.some(({ tag }) => autoSpamTags.includes(tag))

function computeSpamTags(lead: TaggedLead, { spammer, keywords }: SpamSigns): TagCause[] {
  const searched = [lead.lead_name, lead.lead_email, lead.message, lead.last_url].map((text) => foldCase(text ?? ''))
  const keyword = keywords.find((word) => searched.some((text) => text.includes(foldCase(word))))
  return [
    ...(spammer === null ? [] : [{ tag: 'Autospam' as const, because: `spammer ${spammer}` }]),
    ...(keyword === undefined ? [] : [{ tag: 'BLSpam' as const, because: `keyword '${keyword}'` }]),
  ]
}

const foldCase = (text: string) => text.normalize('NFC').toLowerCase()

/**
 * Returns the tags that say how a call went. Each rule stands alone, so one call can have two: a voicemail at night is `Voicemail`
 * and `After Hours`. A call that the caller gave up on at night is `After Hours` too. Without hours there are neither of the last two.
 */
export function computeCallTags(lead: CallFacts, hours: CampaignHours | null): TagCause[] {
  if (lead.lead_type !== 'Call') return []
  const tags: TagCause[] = []
  if (lead.voicemail) tags.push({ tag: 'Voicemail', because: 'a voicemail was left' })
  if (lead.answered || hours === null) return tags
  const { open, because } = checkWorkingTime(hours, lead.occurred_at)
  if (!open) tags.push({ tag: 'After Hours', because })
  else if (!lead.voicemail && !isAbandonedCall(lead)) tags.push({ tag: 'Auto Missed Call', because })
  return tags
}

/** As the answering status has it: the provider calls it abandoned, or it took under 15 seconds. */
const isAbandonedCall = ({ call_type, duration }: CallFacts) => call_type === 'abandoned' || (duration ?? 0) < 15
