import { countOf } from '#contract/count-of.ts'
import type { FormAct } from '../contract.ts'
import type { BatchAction } from '../labels.ts'

export const batchLabels: Record<BatchAction, string> = {
  verify: 'Verify',
  unverify: 'Remove verification',
  tag: 'Tag',
  untag: 'Remove tag',
  hide: 'Hide',
  unhide: 'Unhide',
  spam: 'Spam',
  archive: 'Archive',
  unarchive: 'Unarchive',
  move: 'Move',
}

const doneWords: Record<BatchAction, string> = {
  verify: 'verified',
  unverify: 'no longer verified',
  tag: 'tagged',
  untag: 'lost the tag',
  hide: 'hidden',
  unhide: 'no longer hidden',
  spam: 'marked as spam',
  archive: 'archived',
  unarchive: 'unarchived',
  move: 'moved',
}

export const formatLeadCount = (count: number) => countOf(count, 'lead')

/** Returns the question to confirm before many leads are changed. */
export function describeQuestion(act: FormAct, count: number): string {
  const leads = formatLeadCount(count)
  if (act.action === 'tag') return `Tag ${leads} with ${act.value}?`
  if (act.action === 'untag') return `Remove the tag ${act.value} from ${leads}?`
  if (act.action === 'spam') return `Mark ${leads} as spam?`
  if (act.action === 'unverify') return `Remove the verification of ${leads}?`
  return `${batchLabels[act.action]} ${leads}?`
}

/** Returns the message that says what was done. */
export function describeOutcome(act: FormAct, changed: number, skipped: number): string {
  const tag = act.action === 'tag' || act.action === 'untag' ? ` ${act.value}` : ''
  const unchanged = skipped > 0 ? `, ${skipped.toLocaleString('en-US')} not changed` : ''
  return `${formatLeadCount(changed)} ${doneWords[act.action]}${tag}${unchanged}`
}
