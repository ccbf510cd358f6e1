import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { authenticateRequest } from '#core/http/handle.ts'
import { authenticate, type CurrentUser, rightsChannel } from '#domains/access/public.ts'
import type { AppContext, EndpointCall } from '#domains/app-context.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { canSeeLead } from '#domains/leads/model/visibility.ts'

/** What the intake says on the channel when a lead has come in. The version before says null where it lives nowhere. */
const campaignIdSchema = z
  .int()
  .nullable()
  .transform((id) => id ?? noCampaignId)
const arrivalSchema = z.object({ id: z.int(), campaign_id: campaignIdSchema, hide: z.boolean() })

const heartbeatMs = 20_000
/** How long rights are taken for granted; a change is told at once, so this is for what expires by itself. */
const rightsTtlMs = 30_000
/** The streams of a session that one process keeps open; a browser closes those of hidden tabs itself. */
const maxSessionStreams = 8
/** A reader that does not take what it is sent is disconnected; it comes back and loads again. */
const maxUnreadBytes = 64 * 1024

/** What ends each open stream, by session, oldest first. */
const openStreams = new Map<string, (() => void)[]>()

/**
 * Server-sent events: `lead` with its id for each new lead that the reader may see, and `reload` when some may have been
 * missed. Rights are read again as soon as they change, and the stream ends with the session.
 */
export function streamLeadEvents({
  me,
  context,
  request,
  reply,
  closing,
}: EndpointCall<typeof leadsContract.events>): undefined {
  const stream = new PassThrough()
  const reader = createUserReader(me, () => authenticateRequest((token) => authenticate(context.db, token), request))

  const say = (text: string) => {
    if (stream.writableEnded || stream.destroyed) return
    if (stream.readableLength > maxUnreadBytes) stream.destroy()
    else stream.write(text)
  }
  const end = () => void stream.end()
  const onRights = async (payload: string) => {
    if (payload !== '' && ![me.id, me.seenBy?.id].includes(Number(payload))) return
    const person = await reader({ fresh: true })
    if (!person || !leadsContract.events.allow(person)) end()
  }
  const heard = async (payload: string) => {
    const lead = payload === '' ? null : parseArrival(payload, context)
    const person = await reader()
    if (!person || !leadsContract.events.allow(person)) end()
    else if (!lead) say(formatSseEvent('reload', {}))
    else if (canSeeLead(person, lead)) say(formatSseEvent('lead', { id: lead.id }))
  }
  const beat = async () => {
    say(':\n\n')
    const person = await reader()
    if (!person || !leadsContract.events.allow(person)) end()
  }

  const beating = setInterval(() => beat().catch(end), heartbeatMs)
  const unhear = context.live.on(liveChannels.lead, (payload) => heard(payload).catch(end))
  const unhearRights = context.live.on(rightsChannel, (payload) => onRights(payload).catch(end))
  const forget = registerStream(me.sessionHash.toString('base64'), end)
  if (closing.aborted)
    end() // asked while the server was already leaving
  else closing.addEventListener('abort', end)
  stream.on('close', () => {
    clearInterval(beating)
    unhear()
    unhearRights()
    forget()
    closing.removeEventListener('abort', end)
  })

  say('retry: 3000\n\n') // also sends the headers
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream)
}

const formatSseEvent = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Ends the session's oldest stream where this is one too many. Returns what forgets the stream once it is closed. */
function registerStream(session: string, end: () => void): () => void {
  const streams = openStreams.get(session) ?? []
  openStreams.set(session, streams)
  streams.push(end)
  if (streams.length > maxSessionStreams) streams.shift()?.()
  return () => {
    const index = streams.indexOf(end)
    if (index >= 0) streams.splice(index, 1)
    if (streams.length === 0) openStreams.delete(session)
  }
}

/** Anything else on the channel is a bug of ours; readers are then told to reload. */
function parseArrival(payload: string, context: AppContext) {
  try {
    return arrivalSchema.parse(JSON.parse(payload))
  } catch (error) {
    context.log.error({ err: error }, 'not the news of a lead')
    return null
  }
}

/** The person as last read, read again when that is too long ago; null when their session is gone. */
function createUserReader(
  me: CurrentUser,
  read: () => Promise<CurrentUser | null> | null,
): (options?: { fresh: boolean }) => Promise<CurrentUser | null> {
  let known = Promise.resolve<CurrentUser | null>(me)
  let readAt = Date.now()
  return ({ fresh } = { fresh: false }) => {
    if (fresh || Date.now() - readAt >= rightsTtlMs) {
      readAt = Date.now()
      known = Promise.resolve(read())
    }
    return known
  }
}
