import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { parseAnswer } from '../outbound/parse-answer.ts'

/** CallRail's REST API, v3. The paths and the unusual authorization header are CallRail's. */

type CallRailSettings = {
  CALLRAIL_API_URL: string
  CALLRAIL_ACCOUNT_ID?: string | undefined
  CALLRAIL_API_KEY?: string | undefined
}

export const isCallRailConfigured = (settings: CallRailSettings) =>
  Boolean(settings.CALLRAIL_API_KEY && settings.CALLRAIL_ACCOUNT_ID)

const requestTimeoutMs = 15_000

/** CallRail responded with an error status. */
export class CallRailStatusError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`CallRail answered ${status}`)
    this.status = status
  }
}

async function requestCallRail(
  settings: CallRailSettings,
  path: string,
  signal: AbortSignal,
  limit = requestTimeoutMs,
): Promise<unknown> {
  const response = await fetch(`${settings.CALLRAIL_API_URL}/a/${settings.CALLRAIL_ACCOUNT_ID}/${path}`, {
    headers: { authorization: `Token token="${settings.CALLRAIL_API_KEY}"`, accept: 'application/json' },
    redirect: 'error', // the key must go nowhere else
    signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new CallRailStatusError(response.status)
  }
  return response.json()
}

/** A call as CallRail lists it: the same fields as in the post-call event, but `id` and `company_id` are CAL… and COM…. */
export type CallRailCall = { id: string } & Record<string, unknown>
/** Selects what started between two instants, one page at a time, from 1. */
type ListQuery = { from: Date; to: Date; page: number; company?: string }

const callsPageSchema = z.object({ calls: z.array(z.looseObject({ id: z.string() })), total_pages: z.int().min(0) })

/** CallRail's maximum per page. */
const perPage = 250
/** Fields that leads need and that CallRail does not list by default. */
const callFields = [
  'call_type',
  'company_id',
  'company_time_zone',
  'formatted_customer_location',
  'formatted_tracking_source',
  'source',
  'source_name',
  'keywords',
  'medium',
  'referring_url',
  'landing_page_url',
  'last_requested_url',
  'utm_source',
  'utm_medium',
  'gclid',
].join()

/** Lists the calls of one company, or of all companies of the account, in no reliable order. `limit` is the timeout in milliseconds. */
export async function listCalls(
  settings: CallRailSettings,
  asked: ListQuery,
  signal: AbortSignal,
  limit = requestTimeoutMs,
) {
  const query = toListParameters(asked, callFields)
  const { calls, total_pages } = parseAnswer(
    'CallRail',
    callsPageSchema,
    await requestCallRail(settings, `calls.json?${query}`, signal, limit),
  )
  return { calls: calls satisfies CallRailCall[], pages: total_pages }
}

/** A form submission as CallRail lists it: the same fields as in its event. */
export type CallRailForm = { id: string } & Record<string, unknown>

const formsPageSchema = z.object({
  form_submissions: z.array(z.looseObject({ id: z.string() })),
  total_pages: z.int().min(0),
})
/** Fields that leads need and that CallRail does not list by default. */
const formFields = [
  'company_id',
  'source',
  'keywords',
  'campaign',
  'medium',
  'utm_source',
  'utm_medium',
  'utm_campaign',
].join()

/** Lists the form submissions of all companies of the account, like `listCalls`. */
export async function listForms(
  settings: CallRailSettings,
  asked: ListQuery,
  signal: AbortSignal,
  limit = requestTimeoutMs,
) {
  const query = toListParameters(asked, formFields)
  const { form_submissions, total_pages } = parseAnswer(
    'CallRail',
    formsPageSchema,
    await requestCallRail(settings, `form_submissions.json?${query}`, signal, limit),
  )
  return { forms: form_submissions satisfies CallRailForm[], pages: total_pages }
}

const toListParameters = ({ from, to, page, company }: ListQuery, fields: string) =>
  new URLSearchParams({
    page: String(page),
    per_page: String(perPage),
    start_date: from.toISOString(),
    end_date: to.toISOString(),
    fields,
    ...(company === undefined ? {} : { company_id: company }),
  })

export type RecordingResponse = { status: number; headers: Headers; body: ReadableStream<Uint8Array> }

/**
 * Opens a call's recording. CallRail's links are short-lived, so with an API key a new one is requested; without one the
 * link of the hook is used. Follows redirects only to https hosts where CallRail stores recordings, and without the key.
 */
export async function openRecording(
  settings: CallRailSettings,
  recording: { url: string; callId: string },
  { range, signal }: { range: string | undefined; signal: AbortSignal },
): Promise<RecordingResponse> {
  let url = isCallRailConfigured(settings) ? await fetchRecordingUrl(settings, recording.callId, signal) : recording.url
  for (let hop = 0; hop < 5; hop++) {
    if (!isCallRailRecording(settings, url)) throw new Error(`Recordings are not fetched from ${new URL(url).host}`)
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

const recordingLinkSchema = z.object({ url: z.string() })

async function fetchRecordingUrl(settings: CallRailSettings, callId: string, signal: AbortSignal): Promise<string> {
  return parseAnswer(
    'CallRail',
    recordingLinkSchema,
    await requestCallRail(settings, `calls/${encodeURIComponent(callId)}/recording.json`, signal),
  ).url
}

const recordingHostPattern = /(^|\.)(callrail\.com|amazonaws\.com|cloudfront\.net)$/

/** Returns whether the address is on CallRail's hosts or its object storage, over https, or on the configured API host. */
export function isCallRailRecording(settings: CallRailSettings, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return (
    (protocol === 'https:' && recordingHostPattern.test(hostname)) ||
    origin === new URL(settings.CALLRAIL_API_URL).origin
  )
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
