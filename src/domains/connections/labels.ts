/** What Leadline can be connected to. */
export const connectionKinds = ['callrail', 'smtp', 'google', 'legacy'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

export const connectionSources = ['screen', 'environment'] as const

export const connectionStates = ['untested', 'works', 'refused', 'unreachable'] as const
export type ConnectionState = (typeof connectionStates)[number]
