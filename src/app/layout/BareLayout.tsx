import { Outlet } from '@tanstack/react-router'
import { appConfig } from '#ui/data/environment.ts'
import classes from './BareLayout.module.css'
import { GuestBar } from './TopBar.tsx'

/** Around the login page: the guest's top bar and one card, in the agency's color. */
export function AuthLayout() {
  return (
    <div
      className={classes.auth}
      data-layout="auth"
      data-agency={appConfig.agencyColors && true}
      style={appConfig.agencyColors}
    >
      <GuestBar />
      <main className={classes.card}>
        <Outlet />
      </main>
    </div>
  )
}

/** Around the pages that a mailed link opens: only the page. */
export function SimpleLayout() {
  return (
    <main className={classes.simple} data-layout="simple">
      <Outlet />
    </main>
  )
}
