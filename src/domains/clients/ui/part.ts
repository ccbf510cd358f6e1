import { IconAddressBook } from '@tabler/icons-react'
import { adminsWithPages } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'

export const clientsUiPart: UiPart = {
  screens: [
    {
      path: '/clients',
      allow: adminsWithPages('clients'),
      menu: { group: 'Clients and sites', position: 10, flag: 'clients', icon: IconAddressBook },
      load: () => import('./screen.tsx'),
    },
  ],
  find: () => import('./find.ts'),
  explainedRows: [{ kind: 'client', call: 'GET client/{id}' }],
}
