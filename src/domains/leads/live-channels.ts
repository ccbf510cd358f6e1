/** PostgreSQL channels of leads: what one process commits, every process hears. */
export const liveChannels = { lead: 'leadline_lead', event: 'leadline_event' } as const
