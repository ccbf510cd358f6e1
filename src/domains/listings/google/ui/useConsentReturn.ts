import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useAction } from '#ui/data/useAction.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { googleLocationsContract } from '../contract.ts'

/**
 * Whoever comes back from Google has a code in the address: it is taken out before anything else happens, and linked. The server
 * knows whether its state was given out to this session. Answers whether that is over: what is read before then is old at once.
 */
export function useOAuthCallback(): boolean {
  const [search, write] = useSearchParams()
  const { run } = useAction(googleLocationsContract.link)
  const [linking, setLinking] = useState(false)
  const taken = useRef<string>(undefined)
  const { code, state, error } = search
  const brought = code ?? error
  useEffect(() => {
    if (brought === undefined || brought === taken.current) return
    taken.current = brought
    write((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !callbackParams.has(name))), true)
    if (code && state) {
      setLinking(true)
      void run({ body: { code, state } }).finally(() => setLinking(false))
    } else toastError(new Error(describeCallbackError(error)))
  }, [brought, code, state, error, write, run])
  return brought === undefined && !linking
}

function describeCallbackError(error: string | undefined): string {
  if (error === undefined) return 'This link was not begun here. Please begin it again'
  if (error === 'access_denied') return 'No account was linked: Google was told no'
  return `No account was linked. Google says: ${error.slice(0, 100)}`
}

/** What Google puts into the address. */
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
