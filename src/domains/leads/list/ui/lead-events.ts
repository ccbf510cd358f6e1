import { leadsContract } from '#domains/leads/contract.ts'
import { openSseClient } from '#ui/data/sse-client.ts'

type Listener = Parameters<typeof openSseClient>[1]
const listeners = new Set<Listener>()
let stop: (() => void) | undefined

/** Calls the listener with each event of the stream of leads, which all listeners of a page share. Returns a function that stops it. */
export function onLeadEvent(listener: Listener): () => void {
  listeners.add(listener)
  stop ??= openSseClient(leadsContract.events, (event) => {
    for (const tell of listeners) tell(event)
  })
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.()
    stop = undefined
  }
}
