/** What the columns of the list and of its file are called. */
export const clientSiteColumnTitles = { url: 'URL', campaign: 'Campaign', status: 'Status', ip: 'IP' } as const
