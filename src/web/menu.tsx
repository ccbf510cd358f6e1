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

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>
export type MenuEntry = { flag: Flag; path: string; label: string; icon: Icon }

/**
 * The side menu. An entry shows when its flag on the user is true and its screen exists; `routes.tsx` decides the
 * latter, so a screen that is added there appears here by itself.
 */
export const menu: readonly { title: string; entries: readonly MenuEntry[] }[] = [
  { title: '', entries: [{ flag: 'dashboard', path: '/', label: 'Home', icon: IconHome }] },
  {
    title: 'Leads',
    entries: [
      { flag: 'leads', path: '/leads', label: 'Leads', icon: IconInbox },
      { flag: 'leadsRelated', path: '/leads-related', label: 'Leads Related', icon: IconUsersGroup },
      { flag: 'archivedleads', path: '/leads/archive', label: 'Leads Archive', icon: IconInboxOff },
      { flag: 'leadChart', path: '/leads/table', label: 'Leads Table', icon: IconTable },
      { flag: 'leadChart', path: '/leads/chart', label: 'Leads Chart', icon: IconChartLine },
    ],
  },
  {
    title: 'Campaigns',
    entries: [
      { flag: 'campaigns', path: '/campaigns', label: 'Campaigns', icon: IconTarget },
      { flag: 'changelog', path: '/campaigns-changelog', label: 'Campaigns Changelog', icon: IconClipboardList },
      { flag: 'activityLog', path: '/activity-log', label: 'Activity Log', icon: IconCalendarTime },
      { flag: 'campaignCategories', path: '/campaign-categories', label: 'Campaign Categories', icon: IconTags },
      { flag: 'campaignMap', path: '/campaign-gmbs/map', label: 'Campaign Map', icon: IconMap2 },
      { flag: 'campaignGmbs', path: '/campaign-gmbs', label: 'Campaign GMBs', icon: IconBuildingStore },
      { flag: 'googleLocations', path: '/gmb-manager', label: 'GMB Manager', icon: IconBrandGoogle },
    ],
  },
  {
    title: 'Clients and sites',
    entries: [
      { flag: 'clients', path: '/clients', label: 'Clients', icon: IconAddressBook },
      { flag: 'clientSites', path: '/client-sites', label: 'Client Sites', icon: IconWorld },
      { flag: 'networkSites', path: '/network-sites', label: 'Network Sites', icon: IconNetwork },
      { flag: 'outgoingLinks', path: '/network-sites/outgoing-links', label: 'Outgoing Links', icon: IconLink },
      { flag: 'networkCategories', path: '/categories', label: 'Categories', icon: IconCategory },
      { flag: 'redirectDomains', path: '/redirect-domains', label: '301 Domains', icon: IconArrowForwardUp },
      { flag: 'ipAddresses', path: '/ips', label: 'IP Addresses', icon: IconServer },
    ],
  },
  {
    title: 'Access',
    entries: [
      { flag: 'admin_pages', path: '/admin/pages', label: 'Admin Access', icon: IconShieldLock },
      { flag: 'leads_handlers', path: '/leads-handlers', label: 'Leads Handlers Access', icon: IconFolders },
    ],
  },
]
