import type { LeadTag } from '#domains/leads/labels.ts'
import type { TagCause } from '#domains/leads/model/schema.ts'
import type { SpamSigns } from '#domains/leads/spam/server/spam-match.ts'
import type { IncomingLead } from './incoming-lead.ts'
import { type CampaignHours, checkWorkingTime } from './working-hours.ts'

/** In the order they are applied. */
export const autoSpamTags: readonly LeadTag[] = ['Autospam', 'BLSpam']
export const autoCallTags: readonly LeadTag[] = ['Voicemail', 'After Hours', 'Auto Missed Call']

/** Every automatic tag a new lead gets, in order, each with its cause. */
export const computeAutoTags = (lead: IncomingLead, signs: SpamSigns, hours: CampaignHours | null): TagCause[] => [
  ...computeSpamTags(lead, signs),
  ...computeCallTags(lead, hours),
]

export const hasSpamTag = (causes: TagCause[]): boolean => causes.some(({ tag }) => autoSpamTags.includes(tag))

function computeSpamTags(lead: IncomingLead, { spammer, keywords }: SpamSigns): TagCause[] {
  const searched = [lead.lead_name, lead.lead_email, lead.message, lead.last_url].map((text) => foldCase(text ?? ''))
  const keyword = keywords.find((word) => searched.some((text) => text.includes(foldCase(word))))
  return [
    ...(spammer === null ? [] : [{ tag: 'Autospam' as const, because: `spammer ${spammer}` }]),
    ...(keyword === undefined ? [] : [{ tag: 'BLSpam' as const, because: `keyword '${keyword}'` }]),
  ]
}

const foldCase = (text: string) => text.normalize('NFC').toLowerCase()

/**
 * Each rule stands alone, so one call can have two: a voicemail at night is `Voicemail` and `After Hours`. A call that the
 * caller gave up on at night is `After Hours` too: nobody was there to take it. A campaign without hours (none) has neither of
 * the last two.
 */
export function computeCallTags(lead: IncomingLead, hours: CampaignHours | null): TagCause[] {
  if (lead.lead_type !== 'Call') return []
  const tags: TagCause[] = []
  if (lead.voicemail) tags.push({ tag: 'Voicemail', because: 'a voicemail was left' })
  if (lead.answered || hours === null) return tags
  const { open, because } = checkWorkingTime(hours, lead.occurred_at)
  if (!open) tags.push({ tag: 'After Hours', because })
  else if (!lead.voicemail && !isAbandonedCall(lead)) tags.push({ tag: 'Auto Missed Call', because })
  return tags
}

/** As the answering status has it: so called by the provider, or over in under 15 seconds. */
const isAbandonedCall = ({ call_type, duration }: IncomingLead) => call_type === 'abandoned' || (duration ?? 0) < 15
