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
/** The actions of `POST leads/batch`, and the undo of a spam rule, which has its own endpoint. */
export const storedBatchActions = [...batchActions, 'undo_rule'] as const
export type StoredBatchAction = (typeof storedBatchActions)[number]

export const batchStates = ['queued', 'running', 'done', 'failed', 'undone'] as const

export const maxBatchLeads = 10_000
/** The most leads that one commit changes. A larger batch is left to a job. */
export const maxBatchStep = 200
