import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { signalsContract } from '../contract.ts'
import classes from './SignalBell.module.css'
import { useSignalCount } from './useSignals.ts'

/** Links to Home, with the number of signals that need someone. */
export function SignalBell() {
  const me = useCurrentUser()
  return signalsContract.count.allow(me) ? <CountingBell /> : null
}

function CountingBell() {
  const { data } = useSignalCount()
  const count = data?.needs_you ?? 0
  const label = count === 0 ? 'Signals' : count === 1 ? 'Signals: 1 needs you' : `Signals: ${count} need you`
  return (
    <ActionIcon
      component={Link}
      to="/"
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
  )
}
