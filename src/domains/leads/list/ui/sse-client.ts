import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError, sendRequest } from '#ui/data/api.ts'

type SseEvent = Pick<EventSourceMessage, 'event'> & { data: string }

/**
 * Listens to a stream of server-sent events, and returns a function that stops it. EventSource cannot send credentials. A lost
 * connection is retried with growing delays and reported as `reload`, because events may have been missed. Hidden pages
 * disconnect, because a browser allows only a few connections per server.
 */
export function openSseClient(endpoint: Endpoint, tell: (heard: SseEvent) => void): () => void {
  const stopped = new AbortController()
  void runSseClient(endpoint, tell, stopped.signal)
  return () => stopped.abort()
}

const firstRetryMs = 1000
const maxRetryMs = 30_000

async function runSseClient(endpoint: Endpoint, tell: (heard: SseEvent) => void, stopped: AbortSignal) {
  let wait = firstRetryMs
  for (let isFirst = true; !stopped.aborted; isFirst = false) {
    await waitUntilVisible(stopped)
    const hidden = new AbortController()
    const onHide = () => document.hidden && hidden.abort()
    document.addEventListener('visibilitychange', onHide)
    try {
      const { body } = await sendRequest(endpoint, undefined, AbortSignal.any([stopped, hidden.signal]))
      wait = firstRetryMs
      if (!isFirst) tell({ event: 'reload', data: '{}' })
      const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      if (events) for await (const event of events) tell(event)
    } catch (problem) {
      if (isAuthError(problem)) return
    } finally {
      document.removeEventListener('visibilitychange', onHide)
    }
    if (hidden.signal.aborted) continue
    await waitForRetry(wait * (0.75 + Math.random() / 2), stopped)
    wait = Math.min(wait * 2, maxRetryMs)
  }
}

/** Whether access was denied, so that retrying is pointless. */
const isAuthError = (problem: unknown) =>
  problem instanceof ApiError && (problem.status === 401 || problem.status === 403)

function waitUntilVisible(stopped: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      if (document.hidden && !stopped.aborted) return
      document.removeEventListener('visibilitychange', done)
      resolve()
    }
    document.addEventListener('visibilitychange', done)
    stopped.addEventListener('abort', done, { once: true })
  })
}

/** Waits for a retry; ends early when the network is back. */
function waitForRetry(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    stopped.addEventListener('abort', done)
  })
}
