import type { LeadTag } from '../labels.ts'
import type { SpamMatch } from '../spam/server/spam-match.ts'
import type { leadsTable, TagCause } from './schema.ts'
import { type CampaignHours, checkWorkingTime } from './working-hours.ts'

type LeadInsert = typeof leadsTable.$inferInsert
/** What the rules of calls look at. */
type CallFacts = Pick<LeadInsert, 'lead_type' | 'occurred_at' | 'duration' | 'answered' | 'call_type'> & {
  voicemail?: boolean | null | undefined
}

/** In the order they are applied. */
export const autoSpamTags: readonly LeadTag[] = ['Autospam', 'BLSpam']
export const autoCallTags: readonly LeadTag[] = ['Voicemail', 'After Hours', 'Auto Missed Call']

/** Returns every automatic tag of a new lead, in order, each with its cause; the first rule that hits is the cause. */
export const computeAutoTags = (lead: CallFacts, spam: SpamMatch[], hours: CampaignHours | null): TagCause[] => [
  ...autoSpamTags.flatMap((tag): TagCause[] => {
    const first = spam.find((match) => match.tag === tag)
    return first ? [{ tag, because: first.because }] : []
  }),
  ...computeCallTags(lead, hours),
]

export const hasSpamTag = (causes: TagCause[]): boolean => causes.some(({ tag }) => autoSpamTags.includes(tag))

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
