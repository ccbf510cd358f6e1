/** Tables whose columns users can move and resize. A screen passes the name to its table; the server stores the layout under it. */
export const tableNames = [
  'leads',
  'campaigns',
  'campaign-categories',
  'statements',
  'disputes',
  'clients',
  'client-sites',
  'network-sites',
  'network-categories',
  'outgoing-links',
  'redirect-domains',
  'ips',
  'campaign-gmbs',
  'gmb-manager',
  'activity-log',
  'admins',
  'audit',
  'erasures',
  'imports',
  'lead-sources',
] as const
export type TableName = (typeof tableNames)[number]
