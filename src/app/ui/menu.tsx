import {
  IconAddressBook,
  IconArrowForwardUp,
  IconBrandGoogle,
  IconBuildingStore,
  IconCalendarTime,
  IconCategory,
  IconChartLine,
  IconClipboardList,
  IconFolders,
  IconHome,
  IconInbox,
  IconInboxOff,
  IconLink,
  IconMap2,
  IconNetwork,
  IconServer,
  IconShieldLock,
  IconTable,
  IconTags,
  IconTarget,
  IconUsersGroup,
  IconWorld,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Flag } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>
export type MenuEntry = { flag: Flag; path: string; label: string; icon: Icon }

const entry = (flag: Flag, path: string, icon: Icon, label = pageTitles[flag]): MenuEntry => ({
  flag,
  path,
  label,
  icon,
})

/**
 * The side menu. An entry shows when its flag on the user is true and its screen exists; `routes.tsx` decides the
 * latter, so a screen that is added there appears here by itself.
 */
export const menu: readonly { title: string; entries: readonly MenuEntry[] }[] = [
  { title: '', entries: [entry('dashboard', '/', IconHome)] },
  {
    title: 'Leads',
    entries: [
      entry('leads', '/leads', IconInbox),
      entry('leadsRelated', '/leads-related', IconUsersGroup),
      entry('archivedleads', '/leads/archive', IconInboxOff),
      entry('leadChart', '/leads/table', IconTable, 'Leads Table'),
      entry('leadChart', '/leads/chart', IconChartLine, 'Leads Chart'),
    ],
  },
  {
    title: 'Campaigns',
    entries: [
      entry('campaigns', '/campaigns', IconTarget),
      entry('changelog', '/campaigns-changelog', IconClipboardList),
      entry('activityLog', '/activity-log', IconCalendarTime),
      entry('campaignCategories', '/campaign-categories', IconTags),
      entry('campaignMap', '/campaign-gmbs/map', IconMap2),
      entry('campaignGmbs', '/campaign-gmbs', IconBuildingStore),
      entry('googleLocations', '/gmb-manager', IconBrandGoogle),
    ],
  },
  {
    title: 'Clients and sites',
    entries: [
      entry('clients', '/clients', IconAddressBook),
      entry('clientSites', '/client-sites', IconWorld),
      entry('networkSites', '/network-sites', IconNetwork),
      entry('outgoingLinks', '/network-sites/outgoing-links', IconLink),
      entry('networkCategories', '/categories', IconCategory),
      entry('redirectDomains', '/redirect-domains', IconArrowForwardUp),
      entry('ipAddresses', '/ips', IconServer),
    ],
  },
  {
    title: 'Access',
    entries: [
      entry('admin_pages', '/admin/pages', IconShieldLock),
      entry('leads_handlers', '/leads-handlers', IconFolders),
    ],
  },
]
