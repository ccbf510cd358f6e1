import { toTextArray } from '../filters.ts'
import { missedCallTags, reviewableTags } from '../labels.ts'
import type { LeadQueue } from '../queues.ts'

/** Returns what a lead's columns must be to wait in a queue, spelled as in the indexes `leads_review` and `leads_missed`. */
export const queueSql = (queue: LeadQueue, column = (name: string) => name): string =>
  `not ${column('confirmed')} and not ${column('hide')} and ${column('tags')} ${
    queue === 'missed' ? `&& ${toTextArray(missedCallTags)}` : `<@ ${toTextArray(reviewableTags)}`
  }`
