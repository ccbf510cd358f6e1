import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { startListening, stopListening } from './local-server.ts'
import { createRingingTone } from './ring-tone.ts'

/** An object as CallRail lists it, with the fields that the app reads. */
type StandInRow = { id: string } & Record<string, unknown>

/** What an account of the stand-in lists, newest last. */
type StandInLists = {
  companies: StandInRow[]
  trackers: StandInRow[]
  calls: (StandInRow & { start_time: string })[]
  forms: (StandInRow & { submitted_at: string })[]
  /** Conversations by text. */
  conversations: (StandInRow & { last_message_at: string })[]
}
/** A response instead of the normal one: a status, another body (a text is sent as it is), headers. */
type StandInAnswer = { status?: number; headers?: Record<string, string>; body?: unknown }

export type CallRailStandIn = StandInLists & {
  /** The settings of an app that uses this stand-in. */
  settings: { CALLRAIL_API_URL: string; CALLRAIL_ACCOUNT_ID: string; CALLRAIL_API_KEY: string }
  /**
   * Makes responses fail: a status for every request, audio without ranges, audio at another address. `next` sets the next
   * responses, one per request: a status, silence, another answer, or the normal one. `beforeList` is waited for before each page of a
   * list, `afterList` runs after it, such as to let pages shift. `hourlyLimit` is the number of requests an hour before 429.
   */
  behaviour: {
    fail?: number | StandInAnswer
    ignoresRanges?: boolean
    redirectsTo?: string
    next?: (number | 'silence' | 'answer' | StandInAnswer)[]
    beforeList?: (path: string) => Promise<unknown>
    afterList?: (path: string) => void
    hourlyLimit?: number
  }
  requests: string[]
  /** Adds another account with a key of its own. */
  addAccount(id: string, key: string): StandInLists
  /** Breaks off what is being answered. */
  disconnect(): void
  close(): Promise<void>
}

const emptyLists = (): StandInLists => ({ companies: [], trackers: [], calls: [], forms: [], conversations: [] })

/** Starts a stand-in of CallRail's REST API v3, over real HTTP: token header, pages, recordings behind a redirect. */
export async function startCallRailStandIn(): Promise<CallRailStandIn> {
  const sound = createRingingTone()
  const [accountId, apiKey] = ['ACC1', 'stand-in-key']
  const others = new Map<string, { key: string; lists: StandInLists }>()
  const standIn: Omit<CallRailStandIn, 'settings' | 'disconnect' | 'close'> = {
    ...emptyLists(),
    behaviour: {},
    requests: [],
    addAccount: (id, key) => {
      const lists = emptyLists()
      others.set(id, { key, lists })
      return lists
    },
  }
  const times: number[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    standIn.requests.push(`${request.method} ${url.pathname}${url.search}`)
    const next = standIn.behaviour.next?.shift()
    if (next === 'silence') return
    const instead = next === 'answer' || next === undefined ? standIn.behaviour.fail : next
    if (typeof instead === 'number') return sendJson(response, instead, { error: 'stand-in' })
    if (instead) return sendInstead(response, instead)
    const { hourlyLimit } = standIn.behaviour
    if (hourlyLimit !== undefined && url.pathname.startsWith('/v3/')) {
      const hourAgo = Date.now() - 3_600_000
      while (times[0] !== undefined && times[0] < hourAgo) times.shift()
      if (times.length >= hourlyLimit) return sendJson(response, 429, { error: 'Too many requests' })
      times.push(Date.now())
    }
    const audio = /^\/audio\/[\w-]+\.wav$/.test(url.pathname)
    if (audio) return sendAudio(request, response, sound, standIn.behaviour.ignoresRanges)
    const redirect = /^\/calls\/([\w-]+)\/recording\/redirect$/.exec(url.pathname)
    if (redirect) {
      const location = standIn.behaviour.redirectsTo ?? `/audio/${redirect[1]}.wav`
      return response.writeHead(302, { location }).end()
    }
    const key = /^Token token="?([^"]+)"?$/.exec(request.headers.authorization ?? '')?.[1]
    const mine = [
      { id: accountId, key: apiKey, lists: standIn as StandInLists },
      ...[...others].map(([id, other]) => ({ id, ...other })),
    ].filter((account) => account.key === key)
    if (mine.length === 0) return sendJson(response, 401, { error: 'HTTP Token: Access denied.' })
    if (url.pathname === '/v3/a.json') {
      const accounts = mine.map(({ id }) => ({ id, name: `Account ${id}` }))
      return sendJson(response, 200, { page: 1, per_page: 100, total_pages: 1, total_records: mine.length, accounts })
    }
    const [, requestedId, path = ''] = /^\/v3\/a\/([\w-]+)\/(.+)$/.exec(url.pathname) ?? []
    const account = mine.find(({ id }) => id === requestedId)
    const recording = /^calls\/([\w-]+)\/recording\.json$/.exec(path)
    const list = lists.find((one) => one.path === path)
    if (!account || request.method !== 'GET' || (!recording && !list))
      return sendJson(response, 404, { error: 'The requested resource could not be found.' })
    if (recording)
      return sendJson(response, 200, {
        url: `${url.origin}/calls/${recording[1]}/recording/redirect?access_key=short-lived`,
      })
    const start = Date.parse(url.searchParams.get('start_date') ?? '')
    if (list!.time && start < findOldestKept())
      return sendJson(response, 400, { error: 'start_date is more than 25 months ago' })
    await standIn.behaviour.beforeList?.(path)
    sendJson(response, 200, paginate(account.lists[list!.of], list!, url.searchParams))
    standIn.behaviour.afterList?.(path)
  })
  const taken = await startListening(server)
  return Object.assign(standIn, {
    settings: {
      CALLRAIL_API_URL: `http://127.0.0.1:${taken}/v3`,
      CALLRAIL_ACCOUNT_ID: accountId,
      CALLRAIL_API_KEY: apiKey,
    },
    disconnect: () => server.closeAllConnections(),
    close: () => stopListening(server),
  })
}

/** Calls, texts and forms are kept for 25 months. */
const findOldestKept = () => new Date().setUTCMonth(new Date().getUTCMonth() - 25)

function sendInstead(
  response: ServerResponse,
  { status = 200, headers = {}, body = { error: 'stand-in' } }: StandInAnswer,
) {
  if (typeof body !== 'string') return sendJson(response, status, body, headers)
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
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

/** The fields that CallRail lists by default. */
const defaultFormFields = [
  ...['id', 'company_id', 'person_id', 'form_data', 'form_url', 'landing_page_url', 'referrer', 'referring_url'],
  ...['submitted_at', 'first_form', 'customer_phone_number', 'customer_name'],
]

type StandInList = { path: string; of: keyof StandInLists; key: string; time?: string; fields?: string[] }

/** The lists; without `fields` all are listed by default. */
const lists: StandInList[] = [
  { path: 'calls.json', of: 'calls', key: 'calls', time: 'start_time', fields: defaultCallFields },
  {
    path: 'form_submissions.json',
    of: 'forms',
    key: 'form_submissions',
    time: 'submitted_at',
    fields: defaultFormFields,
  },
  { path: 'text-messages.json', of: 'conversations', key: 'conversations', time: 'last_message_at' },
  { path: 'companies.json', of: 'companies', key: 'companies' },
  { path: 'trackers.json', of: 'trackers', key: 'trackers' },
]

function paginate(all: StandInRow[], { key, time, fields }: StandInList, query: URLSearchParams) {
  const perPage = Math.min(Number(query.get('per_page') ?? 100), 250)
  const number = Number(query.get('page') ?? 1)
  const instant = (name: string, otherwise: number) => Date.parse(query.get(name) ?? '') || otherwise
  const [from, to] = [instant('start_date', 0), instant('end_date', Number.POSITIVE_INFINITY)]
  const company = query.get('company_id')
  const shown = fields && new Set([...fields, ...(query.get('fields') ?? '').split(',')])
  const show = (row: StandInRow) =>
    shown ? Object.fromEntries([...shown].flatMap((field) => (field in row ? [[field, row[field]]] : []))) : row
  const timeOf = (row: StandInRow) => (time ? Date.parse(String(row[time])) : 0)
  const matching = all
    .filter((row) => !time || (timeOf(row) >= from && timeOf(row) <= to))
    .filter((row) => company === null || [row.company_id, row.company_resource_id].includes(company))
    .toSorted((a, b) => timeOf(b) - timeOf(a))
  return {
    page: number,
    per_page: perPage,
    total_pages: Math.max(1, Math.ceil(matching.length / perPage)),
    total_records: matching.length,
    [key]: matching.slice((number - 1) * perPage, number * perPage).map(show),
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
