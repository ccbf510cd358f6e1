import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import type { Endpoint } from '#contract/endpoint.ts'
import { RecentEvents } from '#contract/recent-events.ts'
import { ApiError, sendRequest } from './api.ts'
import { getFirstAskedAt } from './early-calls.ts'
import { readSessionToken } from './session-token.ts'

type SseEvent = Pick<EventSourceMessage, 'event'> & { data: string }

/**
 * Listens to a stream of server-sent events, and returns a function that stops it. EventSource cannot send credentials. It begins with
 * what has happened since the screen asked for what it shows. A lost connection is retried with growing delays and reported as `reload`,
 * because events may have been missed. The tabs of a browser share one connection, and hidden ones do without, because a browser allows
 * only a few connections per server.
 */
export function openSseClient(endpoint: Endpoint, tell: TellEvent): () => void {
  const stopped = new AbortController()
  void runSseClient({ endpoint, tell, askedAt: getFirstAskedAt() }, stopped.signal)
  return () => stopped.abort()
}

type TellEvent = (heard: SseEvent) => void
type SseClient = {
  endpoint: Endpoint
  tell: TellEvent
  /** Since when it must know what happens, in milliseconds of `performance.now()`. */
  askedAt: number
}
const reload: SseEvent = { event: 'reload', data: '{}' }
/** The way to the server may take this much longer than the one of what the screen shows. What is told twice changes nothing. */
const marginMs = 2000
const getAge = ({ askedAt }: SseClient) => Math.round(performance.now() - askedAt) + marginMs

async function runSseClient(client: SseClient, stopped: AbortSignal) {
  for (let isFirst = true; !stopped.aborted; isFirst = false) {
    await waitUntilVisible(stopped)
    const hidden = new AbortController()
    const onHide = () => document.hidden && hidden.abort()
    document.addEventListener('visibilitychange', onHide)
    const isDenied = await shareStream(client, isFirst, AbortSignal.any([stopped, hidden.signal]))
    document.removeEventListener('visibilitychange', onHide)
    if (isDenied) return
  }
}

/**
 * Listens until `gone`. Of the tabs with this session, the one that holds the lock reads the stream and tells the others; the next one takes
 * over when it goes. Returns whether access was denied. On plain HTTP there are no locks, and each tab reads its own.
 */
async function shareStream(client: SseClient, isFirst: boolean, gone: AbortSignal): Promise<boolean> {
  if (!('locks' in navigator)) return readStream(client, isFirst, gone)
  const { tell } = client
  const name = `${client.endpoint.address} ${readSessionToken()}`
  const tabs = new BroadcastChannel(name)
  /** Set while this tab reads the stream. */
  let recent: RecentEvents<SseEvent> | undefined
  tabs.onmessage = ({ data }: MessageEvent<SseEvent | { age: number }>) => {
    if (!('age' in data)) tell(data)
    else if (recent) for (const heard of recent.ofLast(data.age) ?? [reload]) tabs.postMessage(heard)
  }
  const read = (isFirst: boolean) => {
    recent = new RecentEvents<SseEvent>(isFirst ? getAge(client) : 0)
    const tellAll = (heard: SseEvent) => {
      recent?.add(heard)
      tell(heard)
      tabs.postMessage(heard)
    }
    return readStream({ ...client, tell: tellAll }, isFirst, gone)
  }
  try {
    const isAlone = { ifAvailable: true }
    const isDenied = await navigator.locks.request(name, isAlone, (lock) => (lock ? read(isFirst) : null))
    if (isDenied !== null) return isDenied
    if (isFirst) tabs.postMessage({ age: getAge(client) })
    else tell(reload)
    return await navigator.locks.request(name, { signal: gone }, () => read(false))
  } catch (problem) {
    if (gone.aborted) return false
    throw problem
  } finally {
    tabs.close()
  }
}

const firstRetryMs = 1000
const maxRetryMs = 30_000

/** Reads the stream until `gone`, and again when it was lost. Returns whether access was denied. */
async function readStream(client: SseClient, isFirst: boolean, gone: AbortSignal): Promise<boolean> {
  const { endpoint, tell } = client
  let wait = firstRetryMs
  for (let isFresh = isFirst; !gone.aborted; isFresh = false) {
    try {
      const { body } = await sendRequest(endpoint, isFresh ? { query: { age: getAge(client) } } : undefined, {
        signal: gone,
      })
      wait = firstRetryMs
      if (!isFresh) tell(reload)
      const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      if (events) for await (const { event, data } of events) tell({ event, data })
    } catch (problem) {
      if (isAuthError(problem)) return true
    }
    if (gone.aborted) return false
    await waitForRetry(wait * (0.75 + Math.random() / 2), gone)
    wait = Math.min(wait * 2, maxRetryMs)
  }
  return false
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
