import type { ReactNode } from 'react'
import { type Allow, admin, both, may, signedIn, superAdmin } from '#contract/allow.ts'

type Load = () => Promise<{ default: () => ReactNode }>
type Declared = { path: string; allow: Allow; load: Load }

/** One line a screen. Its menu entry appears as soon as its line is here; the guide has a page for each. */
export const screens: readonly Declared[] = [
  { path: '/', allow: signedIn, load: () => import('#domains/dashboard/screen.tsx') },
  { path: '/leads', allow: may('leads'), load: () => import('#domains/leads/screen.tsx') },
  {
    path: '/leads/archive',
    allow: may('archivedleads'),
    load: async () => ({ default: (await import('#domains/leads/screen.tsx')).LeadsArchive }),
  },
  { path: '/leads/table', allow: may('leadChart'), load: () => import('#domains/leads/by-week/screen.tsx') },
  { path: '/leads/chart', allow: may('leadChart'), load: () => import('#domains/leads/chart/screen.tsx') },
  {
    path: '/leads-related',
    allow: both(admin, may('leadsRelated')),
    load: () => import('#domains/leads/related/screen.tsx'),
  },
  { path: '/campaigns', allow: both(admin, may('campaigns')), load: () => import('#domains/campaigns/screen.tsx') },
  {
    path: '/campaign-categories',
    allow: may('campaignCategories'),
    load: () => import('#domains/campaign-categories/screen.tsx'),
  },
  {
    path: '/campaigns-changelog',
    allow: both(admin, may('changelog')),
    load: () => import('#domains/activity/changelog/screen.tsx'),
  },
  {
    path: '/activity-log',
    allow: both(admin, may('activityLog')),
    load: () => import('#domains/activity/log/screen.tsx'),
  },
  {
    path: '/campaign-gmbs/map',
    allow: both(admin, may('campaignMap')),
    load: () => import('#domains/campaign-map/screen.tsx'),
  },
  { path: '/campaign-gmbs', allow: both(admin, may('campaignGmbs')), load: () => import('#domains/gmbs/screen.tsx') },
  {
    path: '/gmb-manager',
    allow: both(admin, may('googleLocations')),
    load: () => import('#domains/google-locations/screen.tsx'),
  },
  { path: '/clients', allow: both(admin, may('clients')), load: () => import('#domains/clients/screen.tsx') },
  {
    path: '/admin/pages',
    allow: both(admin, may('admin_pages')),
    load: () => import('#domains/access/admins/screen.tsx'),
  },
  { path: '/admin/audit', allow: superAdmin, load: () => import('#domains/audit/screen.tsx') },
  {
    path: '/leads-handlers',
    allow: both(admin, may('leads_handlers')),
    load: () => import('#domains/access/handlers/screen.tsx'),
  },
  {
    path: '/client-sites',
    allow: both(admin, may('clientSites')),
    load: () => import('#domains/client-sites/screen.tsx'),
  },
  {
    path: '/network-sites',
    allow: both(admin, may('networkSites')),
    load: () => import('#domains/network-sites/screen.tsx'),
  },
  {
    path: '/network-sites/outgoing-links',
    allow: both(admin, may('outgoingLinks')),
    load: () => import('#domains/network-sites/links/screen.tsx'),
  },
  {
    path: '/categories',
    allow: both(admin, may('networkCategories')),
    load: () => import('#domains/network-categories/screen.tsx'),
  },
  {
    path: '/redirect-domains',
    allow: both(admin, may('redirectDomains')),
    load: () => import('#domains/redirect-domains/screen.tsx'),
  },
  { path: '/ips', allow: both(admin, may('ipAddresses')), load: () => import('#domains/ips/screen.tsx') },
  { path: '/import', allow: superAdmin, load: () => import('#domains/imports/screen.tsx') },
  { path: '/cpanel', allow: signedIn, load: () => import('./CPanel.tsx') },
  { path: '/user-guide', allow: signedIn, load: () => import('./guide/UserGuide.tsx') },
]
