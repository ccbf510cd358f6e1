import { IconWifiOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { queryClient } from '#ui/data/useApi.ts'
import classes from './TopBar.module.css'

/** Says that there is no network while that lasts, in a space reserved for it. */
export function NetworkNotice() {
  const isOnline = useSyncExternalStore(subscribeNetworkStatus, () => navigator.onLine)
  return (
    <span role="status" className={classes.network}>
      {!isOnline && (
        <span title="What you see may be out of date, and nothing can be saved until the network is back.">
          <IconWifiOff size={16} aria-hidden="true" />
          No network
        </span>
      )}
    </span>
  )
}

function subscribeNetworkStatus(tell: () => void) {
  window.addEventListener('online', tell)
  window.addEventListener('offline', tell)
  return () => {
    window.removeEventListener('online', tell)
    window.removeEventListener('offline', tell)
  }
}

// Failed queries are retried automatically when the network is back. Loaded data stays as it is: nothing moves.
window.addEventListener('online', () => {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' && !state.data })
})
