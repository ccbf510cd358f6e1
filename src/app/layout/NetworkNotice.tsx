import { IconWifiOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { queryClient } from '#ui/data/useApi.ts'
import classes from './TopBar.module.css'

/** Says that there is no network for as long as there is none, in a place of its own that is kept for it. */
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

// What could not be read comes by itself when the network is back. What was read stays as it is: nothing moves.
window.addEventListener('online', () => {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' && !state.data })
})
