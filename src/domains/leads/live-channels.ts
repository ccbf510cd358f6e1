/** PostgreSQL channels: every process hears what any of them commits. `signal` is for Home, whose stream is the one of leads. */
export const liveChannels = {
  lead: 'leadline_lead',
  change: 'leadline_lead_change',
  event: 'leadline_event',
  signal: 'leadline_signal',
} as const
