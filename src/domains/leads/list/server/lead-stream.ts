import { PassThrough } from 'node:stream'
import { z } from 'zod'
import type { House } from '#core/app-context.ts'
import { type Call, findSession } from '#core/http/handle.ts'
import { channels } from '#core/live/live.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { leads } from '#domains/leads/contract.ts'
import { noCampaign } from '#domains/leads/labels.ts'
import { sees } from '#domains/leads/model/visibility.ts'

/** What the intake says on the channel when a lead has come in. The version before says null where it lives nowhere. */
const campaign_id = z
  .int()
  .nullable()
  .transform((id) => id ?? noCampaign)
const arrival = z.object({ id: z.int(), campaign_id, hide: z.boolean() })

const heartbeat = 20_000
/** How long rights are taken for granted. */
const fresh = 30_000
/** Somebody who does not read is let go; they come back and load afresh. */
const mostUnread = 64 * 1024

/**
 * Server-sent events: `lead` with its id for each new lead that the reader may see, and `reload` when some may have been
 * missed. Rights are read again while the stream is open, and it ends with the session.
 */
export function followLeads({ me, house, request, reply, closing }: Call<typeof leads.events>): undefined {
  const stream = new PassThrough()
  const reader = rereading(me, () => findSession(house, request))

  const say = (text: string) => {
    if (stream.writableEnded || stream.destroyed) return
    if (stream.readableLength > mostUnread) stream.destroy()
    else stream.write(text)
  }
  const end = () => void stream.end()
  const heard = async (payload: string) => {
    const lead = payload === '' ? null : arrivalOf(payload, house)
    const person = await reader()
    if (!person || !leads.events.allow(person)) end()
    else if (!lead) say(event('reload', {}))
    else if (sees(person, lead)) say(event('lead', { id: lead.id }))
  }
  const beat = async () => {
    say(':\n\n')
    const person = await reader()
    if (!person || !leads.events.allow(person)) end()
  }

  const beating = setInterval(() => beat().catch(end), heartbeat)
  const unhear = house.live.on(channels.lead, (payload) => heard(payload).catch(end))
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

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Anything else on the channel is a bug of ours; whoever listens then looks for themselves. */
function arrivalOf(payload: string, house: House) {
  try {
    return arrival.parse(JSON.parse(payload))
  } catch (error) {
    house.log.error({ err: error }, 'not the news of a lead')
    return null
  }
}

/** The person as last read, read again when that is too long ago; null when their session is gone. */
function rereading(me: Me, read: () => Promise<Me | null> | null): () => Promise<Me | null> {
  let known = Promise.resolve<Me | null>(me)
  let readAt = Date.now()
  return () => {
    if (Date.now() - readAt >= fresh) {
      readAt = Date.now()
      known = Promise.resolve(read())
    }
    return known
  }
}
