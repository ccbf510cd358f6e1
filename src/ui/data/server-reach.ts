import { create } from 'zustand'

/** Since when no call has reached the server, in milliseconds; null while it can be reached. */
export const useServerReach = create<{ lostAt: number | null }>(() => ({ lostAt: null }))

/** Milliseconds between checks while the server cannot be reached. */
const checkInterval = 3000
const checkTimeout = 5000
let isChecking = false

/** Checks whether the server can be reached after a call that had no answer, until it can. */
export async function checkServerReach() {
  if (isChecking) return
  isChecking = true
  const failedAt = Date.now()
  while (!(await isServerReady())) {
    if (useServerReach.getState().lostAt === null) useServerReach.setState({ lostAt: failedAt })
    await waitForCheck()
  }
  if (useServerReach.getState().lostAt !== null) useServerReach.setState({ lostAt: null })
  isChecking = false
}

async function isServerReady(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(checkTimeout) })).ok
  } catch {
    return false
  }
}

/** Waits for the next check, at another moment in each browser; ends early when the network is back. */
function waitForCheck(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, checkInterval * (0.75 + Math.random() / 2))
    window.addEventListener('online', done)
  })
}

// Tests of what is around it run without a window.
if (typeof window !== 'undefined') window.addEventListener('offline', () => void checkServerReach())
