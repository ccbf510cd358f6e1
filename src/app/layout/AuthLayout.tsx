import { Link, Outlet } from '@tanstack/react-router'
import { appConfig } from '#ui/data/environment.ts'
import { ColorSchemeToggle } from '#ui/theme/ColorScheme.tsx'
import classes from './AuthLayout.module.css'
import bar from './TopBar.module.css'

/** Around the sign-in pages: the agency's bar and one card, in the agency's color. Who is signed in does not load it. */
export default function AuthLayout() {
  const { agencyName, agencyLogo, agencyColors } = appConfig
  return (
    <div className={classes.auth} data-layout="auth" data-agency={agencyColors && true} style={agencyColors}>
      <header className={bar.bar}>
        {agencyLogo && <img className={classes.logo} data-logo src={agencyLogo} alt="" />}
        <span className={classes.brand}>{agencyName}</span>
        <div className={bar.person}>
          <ColorSchemeToggle />
          <Link to="/login">Login</Link>
        </div>
      </header>
      <main className={classes.card}>
        <Outlet />
      </main>
    </div>
  )
}
