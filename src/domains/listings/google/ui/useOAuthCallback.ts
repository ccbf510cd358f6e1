import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useAction } from '#ui/data/useAction.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { googleLocationsContract } from '../contract.ts'

/**
 * Links the account when Google redirects back with a code, after removing the code from the URL. The server checks that its state was
 * issued to this session. Returns whether this is over; data read earlier would be outdated at once. `hasLinked`: its first sync has
 * started.
 */
export function useOAuthCallback(): { isOver: boolean; hasLinked: boolean } {
  const [search, write] = useSearchParams()
  const { run } = useAction(googleLocationsContract.link)
  const [progress, setProgress] = useState<'none' | 'linking' | 'linked'>('none')
  const taken = useRef<string>(undefined)
  const { code, state, error } = search
  const returned = code ?? error
  useEffect(() => {
    if (returned === undefined || returned === taken.current) return
    taken.current = returned
    write((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !callbackParams.has(name))), true)
    if (code && state) {
      setProgress('linking')
      void run({ body: { code, state } }).finally(() => setProgress('linked'))
    } else toastError(new Error(describeCallbackError(error)))
  }, [returned, code, state, error, write, run])
  return { isOver: returned === undefined && progress !== 'linking', hasLinked: progress === 'linked' }
}

function describeCallbackError(error: string | undefined): string {
  if (error === undefined) return 'This link was not started here. Please start it again'
  if (error === 'access_denied') return 'No account was linked: access was declined at Google'
  return `No account was linked. Google says: ${error.slice(0, 100)}`
}

/** The parameters that Google adds to the URL. */
const callbackParams = new Set([
  'code',
  'state',
  'scope',
  'error',
  'error_description',
  'authuser',
  'prompt',
  'hd',
  'iss',
])
