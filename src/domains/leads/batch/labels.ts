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
/** Those that `POST leads/batch` takes, and taking back what a spam rule did, which has a call of its own. */
export const storedBatchActions = [...batchActions, 'undo_rule'] as const
export type StoredBatchAction = (typeof storedBatchActions)[number]

export const batchStates = ['queued', 'running', 'done', 'failed', 'undone'] as const
export type BatchState = (typeof batchStates)[number]

export const maxBatchLeads = 10_000
/** What one commit changes at most, and what a call does by itself; more is a job. */
export const maxBatchStep = 200
