import { type LeadTag, spamTags } from '../labels.ts'
import type { SpamMatch } from '../spam/server/spam-match.ts'
import type { leadsTable, TagCause } from './schema.ts'
import { type CampaignHours, checkWorkingTime } from './working-hours.ts'

type LeadInsert = typeof leadsTable.$inferInsert
/** What the rules for calls read. */
type CallFacts = Pick<LeadInsert, 'lead_type' | 'occurred_at' | 'duration' | 'answered' | 'call_type'> & {
  voicemail?: boolean | null | undefined
}

/** In the order in which they are applied. */
export const autoSpamTags: readonly LeadTag[] = ['Autospam', 'BLSpam']
/** The cause of the tag that a provider's own spam flag sets. */
export const toProviderSpam = (provider: string): TagCause => ({
  tag: 'Spam',
  because: `${provider} marked it as spam`,
})
export const isProviderSpam = ({ tag, because }: TagCause): boolean =>
  tag === 'Spam' && because.endsWith(' marked it as spam')
export const autoCallTags: readonly LeadTag[] = ['Voicemail', 'After Hours', 'Auto Missed Call']

/** Returns the automatic tags of a new lead, in order, each with its cause: the first rule that hits. */
export const computeAutoTags = (lead: CallFacts, spam: SpamMatch[], hours: CampaignHours | null): TagCause[] => [
  ...autoSpamTags.flatMap((tag): TagCause[] => {
    const first = spam.find((match) => match.tag === tag)
    return first ? [{ tag, because: first.because }] : []
  }),
  ...computeCallTags(lead, hours),
]

export const hasSpamTag = (causes: TagCause[]): boolean => causes.some(({ tag }) => spamTags.includes(tag))

/**
 * Returns the tags that say how a call went. The rules are independent, so one call can have two tags: a voicemail at night is
 * `Voicemail` and `After Hours`. A call abandoned at night is `After Hours` too. `After Hours` and `Auto Missed Call` need hours, and
 * a source that says that no one answered: an imported file without that column is not a list of missed calls.
 */
export function computeCallTags(lead: CallFacts, hours: CampaignHours | null): TagCause[] {
  if (lead.lead_type !== 'Call') return []
  const tags: TagCause[] = []
  if (lead.voicemail) tags.push({ tag: 'Voicemail', because: 'the caller left a message' })
  if (lead.answered !== false || hours === null) return tags
  const { open, because } = checkWorkingTime(hours, lead.occurred_at)
  if (!open) tags.push({ tag: 'After Hours', because })
  else if (!lead.voicemail && !isAbandonedCall(lead)) tags.push({ tag: 'Auto Missed Call', because })
  return tags
}

/** The same rule as the answering status: the provider calls it abandoned, or it took under 15 seconds. */
const isAbandonedCall = ({ call_type, duration }: CallFacts) => call_type === 'abandoned' || (duration ?? 0) < 15
