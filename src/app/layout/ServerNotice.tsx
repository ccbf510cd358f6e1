import { IconWifiOff } from '@tabler/icons-react'
import { formatShortTime } from '#ui/cells/timestamps.ts'
import { useServerReach } from '#ui/data/server-reach.ts'
import classes from './ServerNotice.module.css'

/** Says that the server cannot be reached while that lasts. */
export default function ServerNotice() {
  const { lostAt } = useServerReach()
  return (
    <div role="status">
      {lostAt !== null && (
        <p className={classes.notice}>
          <IconWifiOff size={16} aria-hidden="true" />
          <span>
            <b>
              {navigator.onLine ? 'The server cannot be reached' : 'No network'} since{' '}
              {formatShortTime(new Date(lostAt).toISOString())}.
            </b>{' '}
            Lists show when they were read. What you type stays: save it once this message is gone.
          </span>
        </p>
      )}
    </div>
  )
}
