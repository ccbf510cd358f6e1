import { createElement, type ReactNode } from 'react'
import { type AccessRule, adminsWithPages, mayUsePages, signedIn, staffOnly, superAdminOnly } from '#contract/allow.ts'
import { recordPaths } from '#contract/record-paths.ts'
import { leadDetailContract } from '#domains/leads/detail/contract.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { recordsContract } from '#domains/records/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { loadPart } from '#ui/data/lazy-part.ts'

export type LoadScreen = () => Promise<{ default: () => ReactNode }>
type ScreenDeclaration = {
  path: string
  allow: AccessRule
  load: LoadScreen
  /** People who may not open it get "not found", as for a record that they may not see. */
  hidden?: true
}

/** One line per screen. Its menu entry appears as soon as its line is here; the guide has a page for each. */
export const appScreens: readonly ScreenDeclaration[] = [
  { path: '/', allow: signedIn, load: () => import('#domains/dashboard/ui/screen.tsx') },
  { path: '/leads', allow: mayUsePages('leads'), load: () => import('#domains/leads/list/ui/screen.tsx') },
  {
    path: '/leads/archive',
    allow: mayUsePages('archivedleads'),
    load: () =>
      loadPart(() => import('#domains/leads/list/ui/screen.tsx')).then(({ LeadsArchiveScreen }) => ({
        default: LeadsArchiveScreen,
      })),
  },
  {
    path: recordPaths.lead,
    allow: leadDetailContract.read.allow,
    hidden: true,
    load: () => import('#domains/leads/detail/ui/screen.tsx'),
  },
  {
    path: recordPaths.campaign,
    allow: recordsContract.campaign.allow,
    hidden: true,
    load: () => import('#domains/records/ui/campaign-screen.tsx'),
  },
  {
    path: recordPaths.client,
    allow: recordsContract.client.allow,
    hidden: true,
    load: () => import('#domains/records/ui/client-screen.tsx'),
  },
  {
    path: recordPaths.client_site,
    allow: clientSitesContract.get.allow,
    hidden: true,
    load: () => import('#domains/records/ui/site-screens.tsx'),
  },
  {
    path: recordPaths.network_site,
    allow: networkSitesContract.get.allow,
    hidden: true,
    load: () =>
      loadPart(() => import('#domains/records/ui/site-screens.tsx')).then(({ NetworkSiteScreen }) => ({
        default: NetworkSiteScreen,
      })),
  },
  {
    path: recordPaths.listing,
    allow: gmbsContract.get.allow,
    hidden: true,
    load: () => import('#domains/records/ui/listing-screen.tsx'),
  },
  {
    path: '/leads/table',
    allow: mayUsePages('leadChart'),
    load: () => import('#domains/reports/weekly-report/ui/screen.tsx'),
  },
  { path: '/leads/chart', allow: mayUsePages('leadChart'), load: () => import('#domains/reports/chart/ui/screen.tsx') },
  {
    path: '/leads-related',
    allow: adminsWithPages('leadsRelated'),
    load: () => import('#domains/leads/related/ui/screen.tsx'),
  },
  {
    path: '/campaigns',
    allow: adminsWithPages('campaigns'),
    load: () => import('#domains/campaigns/ui/screen.tsx'),
  },
  {
    path: '/statements',
    allow: adminsWithPages('campaigns'),
    load: () => import('#domains/billing/statements/ui/screen.tsx'),
  },
  {
    path: '/disputes',
    allow: adminsWithPages('campaigns'),
    load: () => import('#domains/billing/disputes/ui/screen.tsx'),
  },
  {
    path: '/campaign-categories',
    allow: mayUsePages('campaignCategories'),
    load: () => import('#domains/campaigns/categories/ui/screen.tsx'),
  },
  {
    path: '/campaigns-changelog',
    allow: adminsWithPages('changelog'),
    load: () => import('#domains/activity/changelog/ui/screen.tsx'),
  },
  {
    path: '/activity-log',
    allow: adminsWithPages('activityLog'),
    load: () => import('#domains/activity/log/ui/screen.tsx'),
  },
  {
    path: '/campaign-gmbs/map',
    allow: adminsWithPages('campaignMap'),
    load: () => import('#domains/listings/map/ui/screen.tsx'),
  },
  {
    path: '/campaign-gmbs',
    allow: adminsWithPages('campaignGmbs'),
    load: () => import('#domains/listings/gmbs/ui/screen.tsx'),
  },
  {
    path: '/gmb-manager',
    allow: adminsWithPages('googleLocations'),
    load: () => import('#domains/listings/google/ui/screen.tsx'),
  },
  {
    path: '/clients',
    allow: adminsWithPages('clients'),
    load: () => import('#domains/clients/ui/screen.tsx'),
  },
  {
    path: '/admin/pages',
    allow: adminsWithPages('admin_pages'),
    load: () => import('#domains/access/admins/ui/screen.tsx'),
  },
  { path: '/admin/audit', allow: superAdminOnly, load: () => import('#domains/audit/ui/screen.tsx') },
  { path: '/admin/erasures', allow: superAdminOnly, load: () => import('#domains/audit/erasures/ui/screen.tsx') },
  {
    path: '/leads-handlers',
    allow: adminsWithPages('leads_handlers'),
    load: () => import('#domains/access/leads-handlers/ui/screen.tsx'),
  },
  {
    path: '/client-sites',
    allow: adminsWithPages('clientSites'),
    load: () => import('#domains/sites/client/ui/screen.tsx'),
  },
  {
    path: '/lead-sources',
    allow: adminsWithPages('clientSites'),
    load: () => import('#domains/leads/custom-sources/ui/screen.tsx'),
  },
  {
    path: '/network-sites',
    allow: adminsWithPages('networkSites'),
    load: () => import('#domains/sites/network/ui/screen.tsx'),
  },
  {
    path: '/network-sites/outgoing-links',
    allow: adminsWithPages('outgoingLinks'),
    load: () => import('#domains/sites/links/ui/screen.tsx'),
  },
  {
    path: '/categories',
    allow: adminsWithPages('networkCategories'),
    load: () => import('#domains/sites/categories/ui/screen.tsx'),
  },
  {
    path: '/redirect-domains',
    allow: adminsWithPages('redirectDomains'),
    load: () => import('#domains/sites/redirects/ui/screen.tsx'),
  },
  {
    path: '/ips',
    allow: adminsWithPages('ipAddresses'),
    load: () => import('#domains/sites/ips/ui/screen.tsx'),
  },
  { path: '/integrations', allow: staffOnly, load: () => import('#domains/webhooks/ui/screen.tsx') },
  { path: '/profile', allow: signedIn, load: () => import('#domains/access/profile/ui/screen.tsx') },
  { path: '/import', allow: superAdminOnly, load: () => import('#domains/imports/ui/screen.tsx') },
  { path: '/cpanel', allow: signedIn, load: () => import('#domains/sites/redirects/ui/CPanelScreen.tsx') },
  {
    path: '/user-guide',
    allow: signedIn,
    load: async () => {
      const { UserGuide } = await loadPart(() => import('../guide/UserGuide.tsx'))
      return { default: () => createElement(UserGuide, { screens: appScreens }) }
    },
  },
]
