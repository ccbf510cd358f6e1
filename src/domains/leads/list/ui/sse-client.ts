import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError, sendRequest } from '#ui/data/api.ts'

type SseEvent = Pick<EventSourceMessage, 'event'> & { data: string }

/**
 * Listens to a stream of server-sent events until it is told to stop. Not by EventSource, which cannot say who it is. A
 * lost connection comes back by itself, later each time, and is told as `reload`: something may have been missed. A page
 * that nobody looks at lets go, because a browser holds only a few connections to one server.
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

/** Whoever may not listen will not be allowed to a moment later. */
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

/** Ends early when the network is there again. */
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
