import type { Lead } from '#domains/leads/contract.ts'
import { reviewableTags } from '#domains/leads/labels.ts'
import type { LeadQueue } from '#domains/leads/queues.ts'

export const leadQueueLabels: Record<LeadQueue, string> = { review: 'To review', missed: 'Missed calls' }

/** Returns whether a lead still waits in this queue, as far as the reader can tell: the rule of the server's `queueSql`. */
export function isInQueue(queue: LeadQueue, { confirmed, hide, missed_call, tags = [] }: Lead): boolean {
  if (confirmed === 1 || hide === 1) return false
  return queue === 'missed' ? missed_call : !missed_call && tags.every(({ name }) => reviewableTags.includes(name))
}
