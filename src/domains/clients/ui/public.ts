import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'

export { changeDeniedMessage, useActiveSwitch } from './useActiveSwitch.ts'
/** Loads when it is opened. */
export const EditClientDialog = lazyComponent(async () => ({
  default: (await loadPart(() => import('./EditClient.tsx'))).EditClientDialog,
}))
/** Loads when it is shown. */
export const NewClientButton = lazyComponent(() => import('./NewClientButton.tsx'))
