import { useEffect, useRef } from 'react'
import { useAddress } from '#web/address.ts'
import { sayFailure } from '#web/toast.tsx'
import { useAction } from '#web/useAction.ts'
import { googleLocations } from './contract.ts'

/**
 * Whoever comes back from Google has a code in the address: it is taken out before anything else happens, and linked. The server
 * knows whether its state was given out to this session.
 */
export function Arrival() {
  const [search, write] = useAddress()
  const { run } = useAction(googleLocations.link)
  const taken = useRef<string>(undefined)
  const { code, state, error } = search
  useEffect(() => {
    const brought = code ?? error
    if (brought === undefined || brought === taken.current) return
    taken.current = brought
    write((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !googles.has(name))), true)
    if (code && state) void run({ body: { code, state } })
    else if (error === 'access_denied') sayFailure(new Error('No account was linked: Google was told no'))
    else if (error) sayFailure(new Error(`No account was linked. Google says: ${error.slice(0, 100)}`))
    else sayFailure(new Error('This link was not begun here. Please begin it again'))
  }, [code, state, error, write, run])
  return null
}

/** What Google puts into the address. */
const googles = new Set(['code', 'state', 'scope', 'error', 'error_description', 'authuser', 'prompt', 'hd', 'iss'])
