import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useFreshMe } from '#domains/access/ui/current-user.ts'
import { part, readParts } from '#ui/data/lazy-part.ts'
import { ShortcutKey } from '#ui/layout/ShortcutKey.tsx'
import { TourPlace } from '../tour/TourHost.tsx'
import classes from './Layout.module.css'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'

// Only phones need it.
const MenuDrawer = part(() => import('./MenuDrawer.tsx'))

const key = 'leadline.sidebar'
/** Milliseconds: by then the first screen is there, and being worked with. */
const settled = 10_000

/** Around every page for signed-in people: top bar, side menu, and the page itself. */
export function Layout() {
  const me = useFreshMe()
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(key) === 'collapsed')
  const [drawer, setDrawer] = useState<'never' | 'open' | 'closed'>('never')

  useEffect(() => {
    const left = new AbortController()
    const timer = setTimeout(() => readParts(left.signal).catch(() => {}), settled) // what is missing is read when it is needed
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [])

  function toggle() {
    localStorage.setItem(key, collapsed ? 'expanded' : 'collapsed')
    setCollapsed(!collapsed)
  }
  if (!me) return null
  return (
    <div className={classes.layout} data-layout="default" data-collapsed={collapsed || undefined}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.side}>
        <Sidebar me={me} collapsed={collapsed} />
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
      <ShortcutKey />
      <TourPlace me={me} />
    </div>
  )
}
