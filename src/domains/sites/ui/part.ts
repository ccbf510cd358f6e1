import { IconArrowForwardUp, IconCategory, IconLink, IconNetwork, IconServer, IconWorld } from '@tabler/icons-react'
import { adminsWithPages, signedIn } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const sitesUiPart: UiPart = {
  screens: [
    {
      path: '/client-sites',
      allow: adminsWithPages('clientSites'),
      menu: { group: 'Clients and sites', position: 20, flag: 'clientSites', icon: IconWorld },
      load: () => import('../client/ui/screen.tsx'),
    },
    {
      path: '/network-sites',
      allow: adminsWithPages('networkSites'),
      menu: { group: 'Clients and sites', position: 30, flag: 'networkSites', icon: IconNetwork },
      load: () => import('../network/ui/screen.tsx'),
    },
    {
      path: '/network-sites/outgoing-links',
      allow: adminsWithPages('outgoingLinks'),
      menu: { group: 'Clients and sites', position: 40, flag: 'outgoingLinks', icon: IconLink },
      load: () => import('../links/ui/screen.tsx'),
    },
    {
      path: '/categories',
      allow: adminsWithPages('networkCategories'),
      menu: { group: 'Clients and sites', position: 50, flag: 'networkCategories', icon: IconCategory },
      load: () => import('../categories/ui/screen.tsx'),
    },
    {
      path: '/redirect-domains',
      allow: adminsWithPages('redirectDomains'),
      menu: { group: 'Clients and sites', position: 60, flag: 'redirectDomains', icon: IconArrowForwardUp },
      load: () => import('../redirects/ui/screen.tsx'),
    },
    {
      path: '/ips',
      allow: adminsWithPages('ipAddresses'),
      menu: { group: 'Clients and sites', position: 70, flag: 'ipAddresses', icon: IconServer },
      load: () => import('../ips/ui/screen.tsx'),
    },
    { path: '/cpanel', hidden: true, allow: signedIn, load: () => import('../redirects/ui/CPanelScreen.tsx') },
  ],
  find: () => import('./find.ts'),
  explainedRows: [{ kind: 'client_site', call: 'PUT clientsite/{id}' }],
}
