import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useFreshCurrentUser } from '#domains/access/ui/current-user.ts'
import { lazyComponent, prefetchChunks } from '#ui/data/lazy-part.ts'
import { ShortcutHelp } from '#ui/layout/ShortcutKey.tsx'
import { TourHost } from '../tour/TourHost.tsx'
import classes from './Layout.module.css'
import { AppSidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'

// Only phones need it.
const MenuDrawer = lazyComponent(() => import('./MenuDrawer.tsx'))

const sidebarStorageKey = 'leadline.sidebar'
/** Milliseconds: by then the first screen is there, and being worked with. */
const prefetchDelay = 10_000

/** Around every page for signed-in people: top bar, side menu, and the page itself. */
export function AppLayout() {
  const me = useFreshCurrentUser()
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(sidebarStorageKey) === 'collapsed')
  const [drawer, setDrawer] = useState<'never' | 'open' | 'closed'>('never')

  useEffect(() => {
    const left = new AbortController()
    const timer = setTimeout(() => prefetchChunks(left.signal).catch(() => {}), prefetchDelay) // what is missing is read when it is needed
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [])

  function toggle() {
    localStorage.setItem(sidebarStorageKey, collapsed ? 'expanded' : 'collapsed')
    setCollapsed(!collapsed)
  }
  if (!me) return null
  return (
    <div className={classes.layout} data-layout="default" data-collapsed={collapsed || undefined}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.side}>
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
      <TourHost me={me} />
    </div>
  )
}
