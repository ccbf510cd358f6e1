import type { ReadableStream } from 'node:stream/web'
import { type CallRailAccount, readRecordingUrl } from './api.ts'

const requestTimeoutMs = 15_000

export type RecordingResponse = { status: number; headers: Headers; body: ReadableStream<Uint8Array> }

/**
 * Opens a call's recording. CallRail's links are short-lived, so with an account a new one is requested; without one the link of the
 * hook is used. Follows redirects only to https hosts where CallRail stores recordings, and without the key.
 */
export async function openRecording(
  apiUrl: string,
  account: CallRailAccount | null,
  recording: { url: string; callId: string },
  { range, signal }: { range: string | undefined; signal: AbortSignal },
): Promise<RecordingResponse> {
  let url = account ? await readRecordingUrl(account, recording.callId, signal) : recording.url
  for (let hop = 0; hop < 5; hop++) {
    if (!isCallRailRecording(apiUrl, url)) throw new Error(`Recordings are not fetched from ${new URL(url).host}`)
    const response = await fetchRecording(url, range, signal)
    const next = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && next) {
      await response.body?.cancel()
      url = new URL(next, url).href
      continue
    }
    if (!recordingStatuses.includes(response.status) || !response.body)
      throw new Error(`The recording answered ${response.status}`)
    return { status: response.status, headers: response.headers, body: response.body as ReadableStream<Uint8Array> } // Node's own stream
  }
  throw new Error('The recording redirects endlessly')
}

/** Of a whole recording, a range, and a range beyond the end. */
export const recordingStatuses: readonly number[] = [200, 206, 416]

const recordingHostPattern = /(^|\.)(callrail\.com|amazonaws\.com|cloudfront\.net)$/

/** Returns whether the address is on CallRail's hosts or its object storage, over https, or on the configured API host. */
export function isCallRailRecording(apiUrl: string, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return (protocol === 'https:' && recordingHostPattern.test(hostname)) || origin === new URL(apiUrl).origin
}

/** Fetches the response headers within the timeout; the body may take as long as the client listens. */
async function fetchRecording(url: string, range: string | undefined, signal: AbortSignal): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error('The recording did not answer in time')), requestTimeoutMs)
  try {
    return await fetch(url, {
      redirect: 'manual',
      headers: range ? { range } : {},
      signal: AbortSignal.any([signal, late.signal]),
    })
  } finally {
    clearTimeout(timer)
  }
}
