export const batchActions = [
  'verify',
  'unverify',
  'tag',
  'untag',
  'hide',
  'unhide',
  'spam',
  'archive',
  'unarchive',
  'move',
] as const
export type BatchAction = (typeof batchActions)[number]

export const batchStates = ['queued', 'running', 'done', 'failed', 'undone'] as const
export type BatchState = (typeof batchStates)[number]

export const maxBatchLeads = 10_000
/** What one commit changes at most, and what a call does by itself; more is a job. */
export const maxBatchStep = 200
