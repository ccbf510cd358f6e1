import { Button } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconLogout, IconMenu2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { logOut } from '#domains/access/ui/current-user.ts'
import { SignalBell } from '#domains/signals/ui/SignalBell.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { ColorSchemeToggle } from '#ui/theme/ColorScheme.tsx'
import { FindButton } from '../find/FindButton.tsx'
import { GuideLink } from './GuideLink.tsx'
import { NetworkNotice } from './NetworkNotice.tsx'
import classes from './TopBar.module.css'

const EditProfile = lazyComponent(() => import('#domains/access/sign-in/ui/EditProfile.tsx'))

type TopBarProps = { me: CurrentUserDto; collapsed: boolean; onCollapse: () => void; onOpenMenu: () => void }

/** The bar over every page of a signed-in person. */
export function TopBar({ me, collapsed, onCollapse, onOpenMenu }: TopBarProps) {
  const [profile, setProfile] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <header className={classes.bar}>
      <span className={classes.narrow}>
        <IconButton label="Open menu" icon={IconMenu2} iconSize={18} onClick={onOpenMenu} />
      </span>
      <span className={classes.wide}>
        <IconButton
          label={collapsed ? 'Expand menu' : 'Collapse menu'}
          icon={collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse}
          iconSize={18}
          onClick={onCollapse}
        />
      </span>
      <NetworkNotice />
      <div className={classes.person}>
        <FindButton />
        <SignalBell />
        <GuideLink />
        <ColorSchemeToggle />
        <button
          type="button"
          className={classes.name}
          data-link
          aria-haspopup="dialog"
          title="Edit Profile"
          onClick={() => setProfile('open')}
        >
          {me.username}
        </button>
        <Button
          className={classes.out}
          variant="subtle"
          color="gray"
          leftSection={<IconLogout size={16} aria-hidden="true" />}
          onClick={() => void logOut()}
        >
          Log out
        </Button>
      </div>
      {profile !== 'never' && (
        <Suspense>
          <EditProfile me={me} opened={profile === 'open'} onClose={() => setProfile('closed')} />
        </Suspense>
      )}
    </header>
  )
}

/** The same bar for a guest: only the sign-in link. */
export function GuestBar() {
  return (
    <header className={classes.bar}>
      <span className={classes.brand}>Leadline</span>
      <div className={classes.person}>
        <ColorSchemeToggle />
        <Link to="/login">Login</Link>
      </div>
    </header>
  )
}
