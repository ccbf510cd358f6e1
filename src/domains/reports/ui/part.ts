import { IconChartLine, IconTable } from '@tabler/icons-react'
import { mayUsePages } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'
import { loadPart } from '#ui/data/lazy-part.ts'

export const reportsUiPart: UiPart = {
  screens: [
    {
      path: '/leads/table',
      allow: mayUsePages('leadChart'),
      menu: { group: 'Leads', position: 40, flag: 'leadChart', icon: IconTable, label: 'Leads Table' },
      load: () => import('../weekly-report/ui/screen.tsx'),
    },
    {
      path: '/leads/chart',
      allow: mayUsePages('leadChart'),
      menu: { group: 'Leads', position: 50, flag: 'leadChart', icon: IconChartLine, label: 'Leads Chart' },
      load: () => import('../chart/ui/screen.tsx'),
    },
  ],
  guestScreens: [
    {
      path: '/report/$key',
      layout: 'mailed-link',
      load: () => import('../client-reports/ui/screen.tsx'),
    },
    {
      path: '/report/own/$id',
      layout: 'mailed-link',
      load: () =>
        loadPart(() => import('../client-reports/ui/screen.tsx')).then(({ OwnReportScreen }) => ({
          default: OwnReportScreen,
        })),
    },
    {
      path: '/report-unsubscribe/$key',
      layout: 'mailed-link',
      load: () =>
        loadPart(() => import('../client-reports/ui/screen.tsx')).then(({ UnsubscribeScreen }) => ({
          default: UnsubscribeScreen,
        })),
    },
  ],
}
