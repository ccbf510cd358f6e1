import type { UiPart } from '#domains/ui-part.ts'
import { mayImport } from '../may-import.ts'

export const importsUiPart: UiPart = {
  screens: [{ path: '/import', allow: mayImport, find: ['Import'], load: () => import('./screen.tsx') }],
}
