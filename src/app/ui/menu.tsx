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
import type { AccessSubject, PermissionFlag } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'

type MenuIcon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>
export type MenuEntry = { flag: PermissionFlag; path: string; label: string; icon: MenuIcon }

const createMenuEntry = (flag: PermissionFlag, path: string, icon: MenuIcon, label = pageTitles[flag]): MenuEntry => ({
  flag,
  path,
  label,
  icon,
})

export const homeEntry = createMenuEntry('dashboard', '/', IconHome)

/**
 * The side menu. An entry shows when its flag on the user is true and its screen exists; `screens.ts` decides the
 * latter, so a screen that is added there appears here automatically.
 */
export const menuGroups: readonly { title: string; entries: readonly MenuEntry[] }[] = [
  { title: '', entries: [homeEntry] },
  {
    title: 'Leads',
    entries: [
      createMenuEntry('leads', '/leads', IconInbox),
      createMenuEntry('leadsRelated', '/leads-related', IconUsersGroup),
      createMenuEntry('archivedleads', '/leads/archive', IconInboxOff),
      createMenuEntry('leadChart', '/leads/table', IconTable, 'Leads Table'),
      createMenuEntry('leadChart', '/leads/chart', IconChartLine, 'Leads Chart'),
    ],
  },
  {
    title: 'Campaigns',
    entries: [
      createMenuEntry('campaigns', '/campaigns', IconTarget),
      createMenuEntry('changelog', '/campaigns-changelog', IconClipboardList),
      createMenuEntry('activityLog', '/activity-log', IconCalendarTime),
      createMenuEntry('campaignCategories', '/campaign-categories', IconTags),
      createMenuEntry('campaignMap', '/campaign-gmbs/map', IconMap2),
      createMenuEntry('campaignGmbs', '/campaign-gmbs', IconBuildingStore),
      createMenuEntry('googleLocations', '/gmb-manager', IconBrandGoogle),
    ],
  },
  {
    title: 'Clients and sites',
    entries: [
      createMenuEntry('clients', '/clients', IconAddressBook),
      createMenuEntry('clientSites', '/client-sites', IconWorld),
      createMenuEntry('networkSites', '/network-sites', IconNetwork),
      createMenuEntry('outgoingLinks', '/network-sites/outgoing-links', IconLink),
      createMenuEntry('networkCategories', '/categories', IconCategory),
      createMenuEntry('redirectDomains', '/redirect-domains', IconArrowForwardUp),
      createMenuEntry('ipAddresses', '/ips', IconServer),
    ],
  },
  {
    title: 'Access',
    entries: [
      createMenuEntry('admin_pages', '/admin/pages', IconShieldLock),
      createMenuEntry('leads_handlers', '/leads-handlers', IconFolders),
    ],
  },
]

export const menuEntries = menuGroups.flatMap(({ entries }) => entries)

/** Whether a person's menu has the entry. Clients may not open the agency's Home, but have their own at the same address. */
export const mayOpenEntry = (me: AccessSubject, { flag, path }: MenuEntry): boolean =>
  me.permissions[flag] || (me.isCustomer && path === homeEntry.path)
