/** The paths of the pages of single things, as the router spells them. */
export const recordPaths = {
  campaign: '/campaign/$id',
  client: '/client/$id',
  client_site: '/site/client/$id',
  network_site: '/site/network/$id',
  listing: '/listing/$id',
  lead: '/lead/$id',
} as const
export type RecordKind = keyof typeof recordPaths

export const buildRecordPath = (kind: RecordKind, id: number) => recordPaths[kind].replace('$id', String(id))
