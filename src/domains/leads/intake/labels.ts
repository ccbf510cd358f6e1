/**
 * `stored` waits for the worker; `waiting` for a person to map its fields; `done` created or changed a lead; `ignored` is kept but
 * creates none (such as a pre-call); `quarantined` could not be used.
 */
export const inboundEventStates = ['stored', 'done', 'ignored', 'quarantined', 'waiting'] as const
export type InboundEventState = (typeof inboundEventStates)[number]

/** Who sends raw events: `other` are the lead sources that people create. */
export const inboundEventProviders = ['callrail', 'formidable', 'other'] as const
