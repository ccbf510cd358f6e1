import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { authenticateRequest } from '#core/http/handle.ts'
import { authenticate, type CurrentUser } from '#domains/access/public.ts'
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
/** How long rights are taken for granted. */
const rightsTtlMs = 30_000
/** Somebody who does not read is let go; they come back and load afresh. */
const maxUnreadBytes = 64 * 1024

/**
 * Server-sent events: `lead` with its id for each new lead that the reader may see, and `reload` when some may have been
 * missed. Rights are read again while the stream is open, and it ends with the session.
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
  if (closing.aborted)
    end() // asked while the server was already leaving
  else closing.addEventListener('abort', end)
  stream.on('close', () => {
    clearInterval(beating)
    unhear()
    closing.removeEventListener('abort', end)
  })

  say('retry: 3000\n\n') // also sends the headers
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream)
}

const formatSseEvent = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Anything else on the channel is a bug of ours; whoever listens then looks for themselves. */
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
): () => Promise<CurrentUser | null> {
  let known = Promise.resolve<CurrentUser | null>(me)
  let readAt = Date.now()
  return () => {
    if (Date.now() - readAt >= rightsTtlMs) {
      readAt = Date.now()
      known = Promise.resolve(read())
    }
    return known
  }
}
