import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { and, eq } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { forbiddenError, HttpError, notFoundError } from '#core/http/errors.ts'
import { type AppContext, type EndpointCall, implementContract } from '#domains/app-context.ts'
import { findAccountOfLead } from '#domains/leads/callrail/server/accounts.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import { isKeyOpen } from '#domains/leads/rating/server/rated-lead.ts'
import {
  isCallRailRecording,
  openRecording,
  type RecordingResponse,
  recordingStatuses,
} from '#integrations/callrail/recording.ts'
import { recordingsContract } from '../contract.ts'
import { findOldRecording, type ReadOldLeadIds } from './old-recording.ts'
import { parseRangeHeader, sliceByteRange } from './range.ts'
import { createRecordingUrl, verifyRecordingUrl } from './recording-address.ts'

export const createRecordingsHandlers = (readOldLeadIds: ReadOldLeadIds) =>
  implementContract(recordingsContract, {
    get: async ({ db, me, params, context, actor }) => {
      const [lead] = await db
        .select({ recording: leadsTable.recording_url })
        .from(leadsTable)
        .where(and(eq(leadsTable.id, params.id), visibleLeadsCondition(me)))
      if (!lead?.recording) throw notFoundError()
      // Plays are audited, but are not a change of the lead.
      await db.transaction((tx) =>
        writeAudit(tx, actor, { kind: 'recording', rowId: params.id, before: null, after: { played: true } }),
      )
      return { url: createRecordingUrl(context.secrets, params.id, `user ${me.id}`) }
    },

    stream: async (call) => {
      const { db, params, query, context } = call
      if (!verifyRecordingUrl(context.secrets, params.id, query)) throw forbiddenError()
      const [lead] = await db
        .select({
          id: leadsTable.id,
          url: leadsTable.recording_url,
          callId: leadsTable.lead_id,
          provider: leadsTable.lead_s,
          origin: leadsTable.origin,
          siteId: leadsTable.clientsite_id,
        })
        .from(leadsTable)
        .where(eq(leadsTable.id, params.id))
      if (!lead?.url) throw notFoundError()
      const keyId = /^rating key (\d+)$/.exec(query.by)?.[1]
      // The lead may have left the client who was given this URL.
      if (keyId && !(await isKeyOpen(db, Number(keyId)))) throw notFoundError()
      const gone = new AbortController()
      call.reply.raw.once('close', () => gone.abort())
      const range = call.request.headers.range
      const recording = { ...lead, url: lead.url }
      const opened = await openLeadRecording(context, readOldLeadIds, recording, { range, signal: gone.signal })
        .then(requireSound)
        .catch((error) => {
          if (!gone.signal.aborted) context.log.warn({ err: error, lead: params.id }, 'recording')
          throw new HttpError(404, 'The recording cannot be played right now')
        })
      return sendRecording(call, opened, range)
    },
  })

/** Streams the provider's bytes. Cuts out the range if the provider does not support ranges, which Safari requires. */
async function sendRecording(
  { reply }: EndpointCall<typeof recordingsContract.stream>,
  opened: RecordingResponse,
  rangeHeader: string | undefined,
): Promise<undefined> {
  const { status, headers, body } = opened
  reply.headers({
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'content-type': toAudioType(headers.get('content-type')),
  })
  const size = Number(headers.get('content-length'))
  const range = status === 200 && size > 0 ? parseRangeHeader(rangeHeader, size) : null
  if (status === 416 || range === 'unsatisfiable') {
    await body.cancel()
    const total = headers.get('content-range') ?? `bytes */${size}`
    await reply.status(416).header('content-range', total).send()
    return
  }
  if (range) {
    reply.status(206).headers({
      'content-range': `bytes ${range.start}-${range.end}/${size}`,
      'content-length': range.end - range.start + 1,
    })
    await reply.send(Readable.fromWeb(body.pipeThrough(sliceByteRange(range))))
    return
  }
  reply.status(status)
  for (const name of ['content-length', 'content-range']) {
    const value = headers.get(name)
    if (value) reply.header(name, value)
  }
  await reply.send(Readable.fromWeb(body))
}

const textTypes = /^(text\/|application\/(json|xml|xhtml))/i

/** Returns a recording that begins with sound; throws for a page, such as one to sign in at, and for nothing. */
async function requireSound(opened: RecordingResponse): Promise<RecordingResponse> {
  const { status, headers, body } = opened
  if (status === 416) return opened
  const reader = body.getReader()
  const first = await reader.read()
  const isStart = status === 200 || /^bytes 0-/.test(headers.get('content-range') ?? '')
  const text = Buffer.from(first.value ?? []).toString('latin1', 0, 200)
  // The bytes decide: some services call sound text/html.
  const isNamedText = textTypes.test(headers.get('content-type') ?? '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sound has them, and text has none.
  const isText = /^(\xef\xbb\xbf)?\s*[<{]/.test(text) || (isNamedText && !/[\u0000-\u0008\u000e-\u001f]/.test(text))
  if (first.done || (isStart && isText)) {
    await reader.cancel()
    throw new Error('The recording is no sound')
  }
  const whole = new ReadableStream<Uint8Array>({
    start: (out) => out.enqueue(first.value),
    pull: async (out) => {
      const next = await reader.read()
      if (next.done) out.close()
      else out.enqueue(next.value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return { ...opened, body: whole }
}

/** Returns an audio type, whatever the provider says: no other content is served. */
const toAudioType = (type: string | null) => (type && /^audio\/[\w.+-]+$/.test(type) ? type : 'audio/mpeg')

type LeadRecording = {
  id: number
  url: string
  callId: string
  provider: StoredLead['lead_s']
  origin: string
  siteId: number | null
}
type ListenRequest = { range: string | undefined; signal: AbortSignal }

/** Opens the recording of a lead: at CallRail, in the old system that it stayed in, or at the address that another service or a file named. */
async function openLeadRecording(
  context: AppContext,
  readOldLeadIds: ReadOldLeadIds,
  { id, url, callId, provider, origin, siteId }: LeadRecording,
  ask: ListenRequest,
): Promise<RecordingResponse> {
  const { CALLRAIL_API_URL } = context.settings
  const old = await findOldRecording(context, readOldLeadIds, { id, url }, ask.signal)
  if (old !== null) return openOtherRecording(context.outbound, old, ask)
  if (provider === 'Other' || !isCallRailRecording(CALLRAIL_API_URL, url))
    return openOtherRecording(context.outbound, url, ask)
  const account = await findAccountOfLead(context, { origin, siteId })
  return openRecording(CALLRAIL_API_URL, account, { url, callId }, ask)
}

const headersMs = 15_000
/** As long as a recording's address is valid; the player then asks for the rest. */
const playingMs = 600_000
const mostBytes = 500_000_000

/** Opens a recording at any public address. */
async function openOtherRecording(
  outbound: AppContext['outbound'],
  url: string,
  { range, signal }: ListenRequest,
): Promise<RecordingResponse> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), headersMs)
  try {
    const response = await outbound.request(url, {
      headers: { 'accept-encoding': 'identity', ...(range && { range }) },
      milliseconds: playingMs,
      mostBytes,
      signal: AbortSignal.any([signal, late.signal]),
    })
    if (!recordingStatuses.includes(response.status)) {
      response.close()
      throw new Error(`The recording answered ${response.status}`)
    }
    const named = ['content-type', 'content-length', 'content-range'].flatMap((name) => {
      const value = response.headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    return { status: response.status, headers: new Headers(named), body: ReadableStream.from(response.chunks()) }
  } finally {
    clearTimeout(timer)
  }
}
