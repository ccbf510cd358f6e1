import { lazyComponent } from '#ui/data/lazy-part.ts'

export const ClientReportsDialog = lazyComponent(() => import('./ReportsDialog.tsx'))
export const ClientStart = lazyComponent(() => import('./ClientStart.tsx'))
