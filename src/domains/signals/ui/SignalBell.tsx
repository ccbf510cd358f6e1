import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { isPlainClick } from '#ui/data/search-params.ts'
import { signalsContract } from '../contract.ts'
import classes from './SignalBell.module.css'
import { useSignalCount } from './useSignals.ts'

const BellSignals = lazyComponent(() => import('./BellSignals.tsx'))

/** Shows the newest of the signals that need someone, with their number. On Home, which lists them all, it is a link. */
export function SignalBell() {
  const me = useCurrentUser()
  return signalsContract.count.allow(me) ? <CountingBell /> : null
}

function CountingBell() {
  const { data } = useSignalCount()
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  const [isOpen, setOpen] = useState(false)
  const bell = useRef<HTMLAnchorElement>(null)
  const count = data?.needs_you ?? 0
  const label = count === 0 ? 'Signals' : count === 1 ? 'Signals: 1 needs you' : `Signals: ${count} need you`
  return (
    <>
      <ActionIcon
        component={Link}
        to="/"
        ref={bell}
        aria-haspopup={isHome ? undefined : 'dialog'}
        onClick={(event) => {
          if (isHome || !isPlainClick(event)) return
          event.preventDefault()
          setOpen(true)
        }}
        aria-label={label}
        title={label}
        color="gray"
        className={classes.bell}
        data-severe={(data?.severe ?? 0) > 0 || undefined}
      >
        <IconBell size={18} aria-hidden="true" />
        {count > 0 && (
          <span className={classes.count} aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <BellSignals at={bell} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
