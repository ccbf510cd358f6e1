import { Outlet } from '@tanstack/react-router'
import classes from './BareLayout.module.css'

/** Around the pages that a mailed link opens: only the page. */
export function SimpleLayout() {
  return (
    <main className={classes.simple} data-layout="simple">
      <Outlet />
    </main>
  )
}
