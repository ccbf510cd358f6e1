import { lazyComponent } from '#ui/data/lazy-part.ts'

/** Loads when it is shown. */
export const ConnectButton = lazyComponent(() => import('./ConnectButton.tsx'))
