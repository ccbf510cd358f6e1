/** PostgreSQL channels of leads: every process hears what any of them commits. */
export const liveChannels = { lead: 'leadline_lead', event: 'leadline_event' } as const
