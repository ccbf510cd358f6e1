import { staffOnly } from '#contract/allow.ts'
import { type LeadTag, missedCallTags } from './labels.ts'

/** The leads that wait for a verdict, as tabs of the list. Hidden leads and verified ones are in neither. */
export const leadQueues = ['review', 'missed'] as const
export type LeadQueue = (typeof leadQueues)[number]
export const leadQueueLabels: Record<LeadQueue, string> = { review: 'To review', missed: 'Missed calls' }

/** Without a queue the list has all leads; `all` says so in an address. */
export const queueChoices = [...leadQueues, 'all'] as const

/** Clients have no queues: what is in them depends on tags, which they may not read. */
export const mayUseQueues = staffOnly

/** Tags that say how a call ended, and nothing about the lead. */
export const reviewableTags: readonly LeadTag[] = ['Voicemail', 'After Hours']

type QueuedLead = { confirmed: 0 | 1; hide?: 0 | 1; missed_call: boolean; tags?: readonly { name: LeadTag }[] }

/** Returns whether a lead still waits in this queue, as far as the reader can tell: the same rule as that of the server's `queueConditions`. */
export function isInQueue(queue: LeadQueue, { confirmed, hide, missed_call, tags = [] }: QueuedLead): boolean {
  if (confirmed === 1 || hide === 1) return false
  return queue === 'missed' ? missed_call : !missed_call && tags.every(({ name }) => reviewableTags.includes(name))
}

const toTextArray = (tags: readonly LeadTag[]) => `array[${tags.map((tag) => `'${tag}'`).join(', ')}]`

/** Returns what a lead's columns must be to wait in a queue, spelled as in the indexes `leads_review` and `leads_missed`. */
export const queueSql = (queue: LeadQueue, column = (name: string) => name): string =>
  `not ${column('confirmed')} and not ${column('hide')} and ${column('tags')} ${
    queue === 'missed' ? `&& ${toTextArray(missedCallTags)}` : `<@ ${toTextArray(reviewableTags)}`
  }`
