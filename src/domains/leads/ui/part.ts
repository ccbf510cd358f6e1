import { IconInbox, IconInboxOff, IconUsersGroup } from '@tabler/icons-react'
import { adminsWithPages, mayUsePages } from '#contract/allow.ts'
import { recordPaths } from '#contract/record-paths.ts'
import type { UiPart } from '#domains/ui-part.ts'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'
import { leadDetailContract } from '../detail/contract.ts'

export const leadsUiPart: UiPart = {
  screens: [
    {
      path: '/leads',
      allow: mayUsePages('leads'),
      menu: { group: 'Leads', position: 10, flag: 'leads', icon: IconInbox },
      load: () => import('../list/ui/screen.tsx'),
    },
    {
      path: '/leads-related',
      allow: adminsWithPages('leadsRelated'),
      menu: { group: 'Leads', position: 20, flag: 'leadsRelated', icon: IconUsersGroup },
      load: () => import('../related/ui/screen.tsx'),
    },
    {
      path: '/leads/archive',
      allow: mayUsePages('archivedleads'),
      menu: { group: 'Leads', position: 30, flag: 'archivedleads', icon: IconInboxOff },
      load: () =>
        loadPart(() => import('../list/ui/screen.tsx')).then(({ LeadsArchiveScreen }) => ({
          default: LeadsArchiveScreen,
        })),
    },
    {
      path: recordPaths.lead,
      allow: leadDetailContract.read.allow,
      hidden: true,
      load: () => import('../detail/ui/screen.tsx'),
    },
    {
      path: '/lead-sources',
      find: ['Lead Sources'],
      allow: adminsWithPages('clientSites'),
      load: () => import('../custom-sources/ui/screen.tsx'),
    },
  ],
  guestScreens: [
    { path: '/rate', layout: 'mailed-link', load: () => import('../rating/ui/screen.tsx') },
    {
      path: '/rate/not-lead',
      layout: 'mailed-link',
      load: () =>
        loadPart(() => import('../rating/ui/screen.tsx')).then(({ RateNotLead }) => ({ default: RateNotLead })),
    },
  ],
  find: () => import('./find.ts'),
  explainedRows: [
    { kind: 'lead', call: 'PUT lead/{id}', FieldLabels: lazyComponent(() => import('./FieldLabels.tsx')) },
  ],
}
