import { staffOnly } from '#contract/allow.ts'
import { type LeadTag, missedCallTags } from './labels.ts'

/** The leads that wait for a verdict, as tabs of the list. Hidden leads and verified ones are in neither. */
export const leadQueues = ['review', 'missed'] as const
type LeadQueue = (typeof leadQueues)[number]

/** Without a queue the list has all leads; `all` says so in an address. */
export const queueChoices = [...leadQueues, 'all'] as const

/** Clients have no queues: what is in them depends on tags, which they may not read. */
export const mayUseQueues = staffOnly

/** Tags that say how a call ended, and nothing about the lead. */
const reviewableTags: readonly LeadTag[] = ['Voicemail', 'After Hours']

const toTextArray = (tags: readonly LeadTag[]) => `array[${tags.map((tag) => `'${tag}'`).join(', ')}]`

/** Returns what a lead's columns must be to wait in a queue, spelled as in the indexes `leads_review` and `leads_missed`. */
export const queueSql = (queue: LeadQueue, column = (name: string) => name): string =>
  `not ${column('confirmed')} and not ${column('hide')} and ${column('tags')} ${
    queue === 'missed' ? `&& ${toTextArray(missedCallTags)}` : `<@ ${toTextArray(reviewableTags)}`
  }`
