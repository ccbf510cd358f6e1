import { ActionIcon, Button } from '@mantine/core'
import { IconHelp, IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { logOut } from '#domains/access/ui/current-user.ts'
import { SignalBell } from '#domains/signals/ui/SignalBell.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ColorSchemeToggle } from '#ui/theme/ColorScheme.tsx'
import { FindButton } from '../find/FindButton.tsx'
import { buildGuideUrl } from './guide-address.ts'
import classes from './TopBar.module.css'

const EditProfile = lazyComponent(() => import('#domains/access/sign-in/ui/EditProfile.tsx'))

type TopBarProps = { me: CurrentUserDto; collapsed: boolean; onCollapse: () => void; onOpenMenu: () => void }

/** The bar over every page of a signed-in person. */
export function TopBar({ me, collapsed, onCollapse, onOpenMenu }: TopBarProps) {
  const [profile, setProfile] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <header className={classes.bar}>
      <span data-narrow-only>
        <IconButton label="Open menu" icon={IconMenu2} iconSize={18} onClick={onOpenMenu} />
      </span>
      <span data-wide-only>
        <IconButton
          label={collapsed ? 'Expand menu' : 'Collapse menu'}
          icon={IconLayoutSidebar}
          iconSize={18}
          onClick={onCollapse}
        />
      </span>
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
        <Button className={arrange.still} variant="subtle" color="gray" onClick={() => void logOut()}>
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

/** The guide's page about the open screen, in a new tab like the guide itself. A plain link, so that only readers fetch the guide. */
function GuideLink() {
  const screen = useLocation({ select: ({ pathname }) => pathname })
  return (
    <ActionIcon
      component="a"
      href={buildGuideUrl(screen)}
      target="_blank"
      rel="noreferrer noopener"
      color="gray"
      aria-label="Guide to this screen"
      title="Guide to this screen"
      data-guide
    >
      <IconHelp size={18} aria-hidden="true" />
    </ActionIcon>
  )
}
