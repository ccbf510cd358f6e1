import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { firstAdminEmail } from '#domains/access/labels.ts'
import { useFreshCurrentUser } from '#domains/access/ui/current-user.ts'
import { lazyComponent, prefetchChunks } from '#ui/data/lazy-part.ts'
import { ShortcutHelp } from '#ui/layout/ShortcutKey.tsx'
import { TourHost } from '../tour/TourHost.tsx'
import classes from './Layout.module.css'
import { AppSidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'

const FirstEmailDialog = lazyComponent(() => import('#domains/access/email-change/ui/FirstEmailDialog.tsx'))
const EnrolScreen = lazyComponent(() => import('#domains/access/second-factor/ui/EnrolScreen.tsx'))
const SeeAsBanner = lazyComponent(() => import('#domains/access/see-as/ui/SeeAsBanner.tsx'))
// Rendered from the start, so that it is there when the server is not.
const ServerNotice = lazyComponent(() => import('./ServerNotice.tsx'))
// Only phones need it.
const MenuDrawer = lazyComponent(() => import('./MenuDrawer.tsx'))

const emailLaterKey = 'leadline.emailLater'
const sidebarStorageKey = 'leadline.sidebar'
/** Milliseconds, long enough for the first screen to be in use. */
const prefetchDelay = 10_000

/** Around every page for signed-in people: top bar, side menu, and the page itself. */
export function AppLayout() {
  const me = useFreshCurrentUser()
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(sidebarStorageKey) === 'collapsed')
  // Stays until the person continues: recovery codes are shown only once.
  const [enrolling, setEnrolling] = useState(false)
  // For as long as the tab is open; the profile takes an email, too.
  const [emailLater, setEmailLater] = useState(() => sessionStorage.getItem(emailLaterKey) !== null)
  const [drawer, setDrawer] = useState<'never' | 'open' | 'closed'>('never')

  useEffect(() => {
    const left = new AbortController()
    const timer = setTimeout(() => prefetchChunks(left.signal).catch(() => {}), prefetchDelay) // missing chunks load when needed
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [])

  function toggle() {
    localStorage.setItem(sidebarStorageKey, collapsed ? 'expanded' : 'collapsed')
    setCollapsed(!collapsed)
  }
  function putEmailOff() {
    sessionStorage.setItem(emailLaterKey, '1')
    setEmailLater(true)
  }
  if (me?.must_enrol && !enrolling) setEnrolling(true)
  if (!me) return null
  if (enrolling)
    return (
      <Suspense>
        <EnrolScreen me={me} onDone={() => setEnrolling(false)} />
      </Suspense>
    )
  return (
    <div className={classes.layout} data-layout="default" data-collapsed={collapsed || undefined}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <div className={classes.notices}>
        <Suspense>
          {me.seen_by && <SeeAsBanner me={me} viewer={me.seen_by} />}
          <ServerNotice />
        </Suspense>
      </div>
      <aside className={classes.side} data-wide-only>
        <AppSidebar me={me} collapsed={collapsed} />
      </aside>
      {drawer !== 'never' && (
        <Suspense>
          <MenuDrawer me={me} opened={drawer === 'open'} onClose={() => setDrawer('closed')} />
        </Suspense>
      )}
      <TopBar me={me} collapsed={collapsed} onCollapse={toggle} onOpenMenu={() => setDrawer('open')} />
      <main id="content" className={classes.content} tabIndex={-1}>
        <Outlet />
      </main>
      <ShortcutHelp />
      {me.email === firstAdminEmail && !emailLater ? (
        <Suspense>
          <FirstEmailDialog onClose={putEmailOff} />
        </Suspense>
      ) : (
        <TourHost me={me} />
      )}
    </div>
  )
}
