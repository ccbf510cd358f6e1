import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { startListening, stopListening } from './local-server.ts'
import { createRingingTone } from './ring-tone.ts'

/** A call as CallRail lists it, with the fields that the app reads. */
type StandInCall = { id: string; start_time: string } & Record<string, unknown>
type StandInForm = { id: string; submitted_at: string } & Record<string, unknown>

export type CallRailStandIn = {
  /** The settings of an app that uses this stand-in. */
  settings: { CALLRAIL_API_URL: string; CALLRAIL_ACCOUNT_ID: string; CALLRAIL_API_KEY: string }
  /** The calls to list, newest last. */
  calls: StandInCall[]
  /** The form submissions to list. */
  forms: StandInForm[]
  /**
   * Makes responses fail: a status for every request, audio without ranges, audio at another address. `next` sets the next
   * responses, one per request: a status, silence, or the normal one.
   */
  behaviour: { fail?: number; ignoresRanges?: boolean; redirectsTo?: string; next?: (number | 'silence' | 'answer')[] }
  requests: string[]
  close(): Promise<void>
}

/** Starts a stand-in of CallRail's REST API v3, over real HTTP: token header, pages, recordings behind a redirect. */
export async function startCallRailStandIn(): Promise<CallRailStandIn> {
  const sound = createRingingTone()
  const [accountId, apiKey] = ['ACC1', 'stand-in-key']
  const standIn: Omit<CallRailStandIn, 'settings' | 'close'> = {
    calls: [],
    forms: [],
    behaviour: {},
    requests: [],
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    standIn.requests.push(`${request.method} ${url.pathname}${url.search}`)
    const next = standIn.behaviour.next?.shift()
    if (next === 'silence') return
    if (typeof next === 'number') return sendJson(response, next, { error: 'stand-in' })
    if (standIn.behaviour.fail) return sendJson(response, standIn.behaviour.fail, { error: 'stand-in' })
    const audio = /^\/audio\/[\w-]+\.wav$/.test(url.pathname)
    if (audio) return sendAudio(request, response, sound, standIn.behaviour.ignoresRanges)
    const redirect = /^\/calls\/([\w-]+)\/recording\/redirect$/.exec(url.pathname)
    if (redirect) {
      const location = standIn.behaviour.redirectsTo ?? `/audio/${redirect[1]}.wav`
      return response.writeHead(302, { location }).end()
    }
    if (request.headers.authorization !== `Token token="${apiKey}"`)
      return sendJson(response, 401, { error: 'HTTP Token: Access denied.' })
    const recording = new RegExp(`^/v3/a/${accountId}/calls/([\\w-]+)/recording\\.json$`).exec(url.pathname)
    if (recording)
      return sendJson(response, 200, {
        url: `${url.origin}/calls/${recording[1]}/recording/redirect?access_key=short-lived`,
      })
    if (url.pathname === `/v3/a/${accountId}/calls.json`)
      return sendJson(response, 200, paginateCalls(standIn.calls, url.searchParams))
    if (url.pathname === `/v3/a/${accountId}/form_submissions.json`)
      return sendJson(response, 200, paginateForms(standIn.forms, url.searchParams))
    return sendJson(response, 404, { error: 'The requested resource could not be found.' })
  })
  const taken = await startListening(server)
  return Object.assign(standIn, {
    settings: {
      CALLRAIL_API_URL: `http://127.0.0.1:${taken}/v3`,
      CALLRAIL_ACCOUNT_ID: accountId,
      CALLRAIL_API_KEY: apiKey,
    },
    close: () => stopListening(server),
  })
}

function sendJson(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The fields that CallRail lists by default. */
const defaultCallFields = [
  ...[
    'id',
    'answered',
    'business_phone_number',
    'direction',
    'duration',
    'start_time',
    'tracking_phone_number',
    'voicemail',
  ],
  ...['customer_city', 'customer_country', 'customer_name', 'customer_phone_number', 'customer_state'],
  ...['recording', 'recording_duration', 'recording_player'],
]

function paginateCalls(calls: StandInCall[], query: URLSearchParams) {
  const { rows, ...pages } = paginate(calls, defaultCallFields, ({ start_time }) => Date.parse(start_time), query)
  return { ...pages, calls: rows }
}

/** The fields that CallRail lists by default. */
const defaultFormFields = [
  ...['id', 'company_id', 'person_id', 'form_data', 'form_url', 'landing_page_url', 'referrer', 'referring_url'],
  ...['submitted_at', 'first_form', 'customer_phone_number', 'customer_name'],
]

function paginateForms(forms: StandInForm[], query: URLSearchParams) {
  const { rows, ...pages } = paginate(forms, defaultFormFields, ({ submitted_at }) => Date.parse(submitted_at), query)
  return { ...pages, form_submissions: rows }
}

function paginate<Row extends Record<string, unknown>>(
  all: Row[],
  defaultFields: string[],
  timeOf: (row: Row) => number,
  query: URLSearchParams,
) {
  const perPage = Math.min(Number(query.get('per_page') ?? 100), 250)
  const number = Number(query.get('page') ?? 1)
  const instant = (name: string, otherwise: number) => Date.parse(query.get(name) ?? '') || otherwise
  const [from, to] = [instant('start_date', 0), instant('end_date', Number.POSITIVE_INFINITY)]
  const company = query.get('company_id')
  const fields = new Set([...defaultFields, ...(query.get('fields') ?? '').split(',')])
  const matching = all
    .filter((row) => timeOf(row) >= from && timeOf(row) <= to)
    .filter((row) => company === null || [row.company_id, row.company_resource_id].includes(company))
    .toSorted((a, b) => timeOf(b) - timeOf(a))
    .map((row) => Object.fromEntries([...fields].flatMap((field) => (field in row ? [[field, row[field]]] : []))))
  return {
    page: number,
    per_page: perPage,
    total_pages: Math.max(1, Math.ceil(matching.length / perPage)),
    total_records: matching.length,
    rows: matching.slice((number - 1) * perPage, number * perPage),
  }
}

function sendAudio(request: IncomingMessage, response: ServerResponse, sound: Buffer, ignoresRanges = false) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if (ignoresRanges || from === undefined || to === undefined)
    return response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': sound.length }).end(sound)
  const start = from === '' ? sound.length - Number(to) : Number(from)
  const end = from === '' || to === '' ? sound.length - 1 : Math.min(Number(to), sound.length - 1)
  if (start >= sound.length) return response.writeHead(416, { 'content-range': `bytes */${sound.length}` }).end()
  const headers = {
    'content-type': 'audio/wav',
    'content-length': end - start + 1,
    'content-range': `bytes ${start}-${end}/${sound.length}`,
  }
  return response.writeHead(206, headers).end(sound.subarray(start, end + 1))
}
