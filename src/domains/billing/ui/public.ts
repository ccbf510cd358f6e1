import { lazyComponent } from '#ui/data/lazy-part.ts'

/** Loads when it is opened. */
export const StatementDialog = lazyComponent(() => import('../statements/ui/StatementDialog.tsx'))
