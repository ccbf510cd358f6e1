import { Drawer } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import classes from './Layout.module.css'
import { useFreshMe } from './me.ts'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'

const key = 'leadline.sidebar'

/** Around every page for signed-in people: top bar, side menu, and the page itself. */
export function Layout() {
  const me = useFreshMe()
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(key) === 'collapsed')
  const [drawer, setDrawer] = useState(false)

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
      <Drawer
        opened={drawer}
        onClose={() => setDrawer(false)}
        size={260}
        padding={0}
        withCloseButton={false}
        attributes={{ content: { 'aria-label': 'Menu' } }}
        classNames={{ body: classes.drawer }}
      >
        <Sidebar me={me} collapsed={false} onFollow={() => setDrawer(false)} />
      </Drawer>
      <TopBar me={me} collapsed={collapsed} onCollapse={toggle} onOpenMenu={() => setDrawer(true)} />
      <main id="content" className={classes.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
