import { staffOnly } from '#contract/allow.ts'

/** The leads that wait for a verdict, as tabs of the list. Hidden leads and verified ones are in neither. */
export const leadQueues = ['review', 'missed'] as const
export type LeadQueue = (typeof leadQueues)[number]

/** Clients have no queues: what is in them depends on tags, which they may not read. */
export const mayUseQueues = staffOnly
