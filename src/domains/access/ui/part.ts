import { IconFolders, IconShieldLock } from '@tabler/icons-react'
import { createElement } from 'react'
import { adminsWithPages, signedIn } from '#contract/allow.ts'
import type { UiPart } from '#domains/ui-part.ts'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'

export const accessUiPart: UiPart = {
  screens: ({ profileSections, explainedRows }) => [
    {
      path: '/admin/pages',
      allow: adminsWithPages('admin_pages'),
      menu: { group: 'Access', position: 10, flag: 'admin_pages', icon: IconShieldLock },
      load: async () => {
        const { AdminAccessScreen } = await loadPart(() => import('../admins/ui/screen.tsx'))
        return { default: () => createElement(AdminAccessScreen, { explainedRows }) }
      },
    },
    {
      path: '/leads-handlers',
      allow: adminsWithPages('leads_handlers'),
      menu: { group: 'Access', position: 20, flag: 'leads_handlers', icon: IconFolders },
      load: async () => {
        const { LeadsHandlersAccessScreen } = await loadPart(() => import('../leads-handlers/ui/screen.tsx'))
        return { default: () => createElement(LeadsHandlersAccessScreen, { explainedRows }) }
      },
    },
    {
      path: '/profile',
      find: ['Profile'],
      allow: signedIn,
      load: async () => {
        const { ProfileScreen } = await loadPart(() => import('../profile/ui/screen.tsx'))
        return { default: () => createElement(ProfileScreen, { sections: profileSections }) }
      },
    },
  ],
  guestScreens: [
    { path: '/login', layout: 'sign-in', load: () => import('../sign-in/ui/screen.tsx') },
    {
      path: '/client-login',
      layout: 'sign-in',
      load: () =>
        loadPart(() => import('../sign-in/ui/screen.tsx')).then(({ ClientLoginScreen }) => ({
          default: ClientLoginScreen,
        })),
    },
    { path: '/login/oidc', layout: 'sign-in', load: () => import('../single-sign-on/ui/screen.tsx') },
    { path: '/forgot', layout: 'sign-in', load: () => import('../password-reset/ui/forgot-screen.tsx') },
    { path: '/reset', layout: 'sign-in', load: () => import('../password-reset/ui/reset-screen.tsx') },
    { path: '/email', layout: 'sign-in', load: () => import('../email-change/ui/confirm-screen.tsx') },
  ],
  profileSections: [
    { title: 'Email', position: 5, Section: lazyComponent(() => import('../email-change/ui/EmailPart.tsx')) },
    { title: 'Password', position: 10, Section: lazyComponent(() => import('../profile/ui/PasswordPart.tsx')) },
    {
      title: 'Second factor',
      position: 20,
      Section: lazyComponent(() => import('../second-factor/ui/second-factor-part.tsx')),
    },
    { title: 'Passkeys', position: 30, Section: lazyComponent(() => import('../second-factor/ui/passkeys-part.tsx')) },
    { title: 'Sessions', position: 40, Section: lazyComponent(() => import('../profile/ui/SessionsPart.tsx')) },
    { title: 'Time format', position: 60, Section: lazyComponent(() => import('../profile/ui/TimeFormatPart.tsx')) },
    { title: 'Row height', position: 62, Section: lazyComponent(() => import('../profile/ui/RowHeightPart.tsx')) },
  ],
}
