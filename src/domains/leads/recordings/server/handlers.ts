import { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import { forbidden, notFound, Refusal } from '#core/http/errors.ts'
import { type Call, implement } from '#core/http/handle.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { visibleTo } from '#domains/leads/model/visibility.ts'
import { type Opened, openRecording } from '#integrations/callrail/api.ts'
import { recordings } from '../contract.ts'
import { rangeOf } from './range.ts'
import { isGiven, recordingAddress } from './recording-address.ts'
import { slice } from './slice.ts'

export const recordingsCalls = implement(recordings, {
  get: async ({ db, me, params, house, actor }) => {
    const [lead] = await db
      .select({ recording: leads.recording_url })
      .from(leads)
      .where(and(eq(leads.id, params.id), visibleTo(me)))
    if (!lead?.recording) throw notFound()
    // Who listened to whom is kept; it is no change of the lead.
    await db.transaction((tx) =>
      record(tx, actor, { kind: 'recording', rowId: params.id, before: null, after: { played: true } }),
    )
    return { url: recordingAddress(house.secrets, params.id, `user ${me.id}`) }
  },

  stream: async (call) => {
    const { db, params, query, house } = call
    if (!isGiven(house.secrets, params.id, query)) throw forbidden()
    const [lead] = await db
      .select({ url: leads.recording_url, callId: leads.lead_id, provider: leads.lead_s })
      .from(leads)
      .where(eq(leads.id, params.id))
    if (!lead?.url) throw notFound()
    const gone = new AbortController()
    call.reply.raw.once('close', () => gone.abort())
    const range = call.request.headers.range
    const opened = await openRecording(
      house.settings,
      { url: lead.url, callId: lead.callId },
      { range, signal: gone.signal },
    ).catch((error) => {
      if (!gone.signal.aborted) house.log.warn({ err: error, lead: params.id }, 'recording')
      throw new Refusal(404, 'The recording cannot be played right now')
    })
    return answer(call, opened, range)
  },
})

/** Passes the provider's bytes on. Where it does not know ranges, the part is cut out here: Safari plays nothing else. */
async function answer(
  { reply }: Call<typeof recordings.stream>,
  opened: Opened,
  asked: string | undefined,
): Promise<undefined> {
  const { status, headers, body } = opened
  reply.headers({
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'content-type': audioType(headers.get('content-type')),
  })
  const size = Number(headers.get('content-length'))
  const range = status === 200 && size > 0 ? rangeOf(asked, size) : null
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
    await reply.send(Readable.fromWeb(body.pipeThrough(slice(range))))
    return
  }
  reply.status(status)
  for (const name of ['content-length', 'content-range']) {
    const value = headers.get(name)
    if (value) reply.header(name, value)
  }
  await reply.send(Readable.fromWeb(body))
}

/** Only sound is played under our name, whatever the provider says. */
const audioType = (type: string | null) => (type && /^audio\/[\w.+-]+$/.test(type) ? type : 'audio/mpeg')
