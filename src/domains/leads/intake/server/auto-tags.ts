import type { Tag } from '#domains/leads/labels.ts'
import type { TagCause } from '#domains/leads/model/schema.ts'
import type { SpamSigns } from '#domains/leads/spam/server/spam-match.ts'
import type { Incoming } from './incoming-lead.ts'
import { isWorkingTime, type WorkingHours } from './working-hours.ts'

/** In the order they are applied. */
export const spamTags: readonly Tag[] = ['Autospam', 'BLSpam']
export const callTags: readonly Tag[] = ['Voicemail', 'After Hours', 'Auto Missed Call']

/** Every automatic tag a new lead gets, in order, each with its cause. */
export const autoTags = (lead: Incoming, signs: SpamSigns, hours: WorkingHours | null): TagCause[] => [
  ...tagsOfSpam(lead, signs),
  ...tagsOfCall(lead, hours),
]

export const isSpam = (causes: TagCause[]): boolean => causes.some(({ tag }) => spamTags.includes(tag))

function tagsOfSpam(lead: Incoming, { spammer, keywords }: SpamSigns): TagCause[] {
  const searched = [lead.lead_name, lead.lead_email, lead.message, lead.last_url].map((text) => folded(text ?? ''))
  const keyword = keywords.find((word) => searched.some((text) => text.includes(folded(word))))
  return [
    ...(spammer === null ? [] : [{ tag: 'Autospam' as const, because: `spammer ${spammer}` }]),
    ...(keyword === undefined ? [] : [{ tag: 'BLSpam' as const, because: `keyword '${keyword}'` }]),
  ]
}

const folded = (text: string) => text.normalize('NFC').toLowerCase()

/**
 * Each rule stands alone, so one call can have two: a voicemail at night is `Voicemail` and `After Hours`. A call that the
 * caller gave up on at night is `After Hours` too: nobody was there to take it. A campaign without hours (none) has neither of
 * the last two.
 */
export function tagsOfCall(lead: Incoming, hours: WorkingHours | null): TagCause[] {
  if (lead.lead_type !== 'Call') return []
  const tags: TagCause[] = []
  if (lead.voicemail) tags.push({ tag: 'Voicemail', because: 'a voicemail was left' })
  if (lead.answered || hours === null) return tags
  const { open, because } = isWorkingTime(hours, lead.occurred_at)
  if (!open) tags.push({ tag: 'After Hours', because })
  else if (!lead.voicemail && !isAbandoned(lead)) tags.push({ tag: 'Auto Missed Call', because })
  return tags
}

/** As the answering status has it: so called by the provider, or over in under 15 seconds. */
const isAbandoned = ({ call_type, duration }: Incoming) => call_type === 'abandoned' || (duration ?? 0) < 15
