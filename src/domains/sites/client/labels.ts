/** What the columns of the list and of its file are called. */
export const columnTitles = { url: 'URL', campaign: 'Campaign', status: 'Status', ip: 'IP' } as const
