import type { PermissionFlag } from './allow.ts'

/** The title of each page flag; the last one is not a page but opens columns of leads. */
export const pageTitles: Record<PermissionFlag, string> = {
  dashboard: 'Home',
  admin_pages: 'Admin Access',
  leads_handlers: 'Leads Handlers Access',
  leads: 'Leads',
  leadsRelated: 'Leads Related',
  archivedleads: 'Leads Archive',
  leadChart: 'Leads Table and Leads Chart',
  campaigns: 'Campaigns',
  changelog: 'Campaigns Changelog',
  activityLog: 'Activity Log',
  campaignCategories: 'Campaign Categories',
  campaignMap: 'Campaign Map',
  campaignGmbs: 'Campaign GMBs',
  googleLocations: 'GMB Manager',
  clients: 'Clients',
  clientSites: 'Client Sites',
  networkSites: 'Network Sites',
  outgoingLinks: 'Outgoing Links',
  networkCategories: 'Categories',
  redirectDomains: '301 Domains',
  ipAddresses: 'IP Addresses',
  show_lead_http_columns: 'Lead tags & tracking details',
}
