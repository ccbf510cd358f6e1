import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { authenticateRequest } from '#core/http/handle.ts'
import { authenticate, type CurrentUser, rightsChannel } from '#domains/access/public.ts'
import type { AppContext, EndpointCall } from '#domains/app-context.ts'
import { canSeeLeads, getReadableFields, leadsContract } from '#domains/leads/contract.ts'
import type { LeadChange } from '#domains/leads/live-changes.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { announcementSchema, type LeadAnnouncement } from '#domains/leads/model/announce-changes.ts'
import { canSeeLead } from '#domains/leads/model/visibility.ts'

/** The intake's notification of a new lead. */
const arrivalSchema = z.object({ id: z.int(), campaign_id: z.int(), hide: z.boolean() })

const heartbeatMs = 20_000
/** How long permissions are cached. Changes are pushed at once, so this is for what expires. */
const rightsTtlMs = 30_000
/** The streams per session that one process keeps open; the tabs of a browser share one. */
const maxSessionStreams = 8
/** A reader with more unread data is disconnected; it reconnects and reloads. */
const maxUnreadBytes = 64 * 1024

/** Functions that end the open streams, by session, the oldest first. */
const openStreams = new Map<string, (() => void)[]>()

/**
 * Streams server-sent events: `lead` with its id for each lead that comes in or into the reader's sight, `change` with what was changed
 * in leads, `signal` when signals have changed, and `reload` when some may have been missed. Permissions are read again as soon as
 * they change, and the stream ends with the session.
 */
export function streamLeadEvents({
  me,
  query: { age },
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
  const fail = (error: unknown) => {
    context.log.warn({ err: error }, 'a stream of leads ended')
    end()
  }
  const onRights = async (payload: string) => {
    if (payload !== '' && ![me.id, me.seenBy?.id].includes(Number(payload))) return
    if (!mayListen(await reader({ fresh: true }))) end()
  }
  const onLead = async (payload: string) => {
    // An invalid one is a bug: readers reload.
    const lead = payload === '' ? null : parseNotification(arrivalSchema, payload, context)
    const person = await reader()
    if (!mayListen(person)) end()
    else if (!lead) say(formatSseEvent('reload', {}))
    else if (canSeeLeads(person) && canSeeLead(person, lead)) say(formatSseEvent('lead', { id: lead.id }))
  }
  /** Nothing is read for it: the notification has the new values. */
  const onChange = async (payload: string) => {
    if (payload === '') return // after a gap, when `onLead` has said `reload`
    const announced = parseAnnouncement(payload, context)
    const person = await reader()
    if (!mayListen(person)) return end()
    if (!announced || !canSeeLeads(person)) return
    const leads = describeChanges(person, announced)
    if (leads.length > 0) say(formatSseEvent('change', { mine: announced.by === person.id, leads }))
    for (const { id, was, now } of announced.leads)
      if (!canSeeLead(person, was) && canSeeLead(person, now)) say(formatSseEvent('lead', { id }))
  }
  /** Nothing is read for it: the lists that a reader then asks for have their own rules. */
  const onSignal = async (payload: string) => {
    if (payload === '') return // after a gap, when `onLead` has said `reload`
    const person = await reader()
    if (!mayListen(person)) end()
    else if (person.permissions.dashboard) say(formatSseEvent('signal', {}))
  }
  const onHeartbeat = async () => {
    say(':\n\n')
    if (!mayListen(await reader())) end()
  }

  const heartbeat = setInterval(() => onHeartbeat().catch(fail), heartbeatMs)
  const unsubscribe = context.live.on(liveChannels.lead, (payload) => onLead(payload).catch(fail), age)
  const unsubscribeChanges = context.live.on(liveChannels.change, (payload) => onChange(payload).catch(fail), age)
  const unsubscribeSignals = context.live.on(liveChannels.signal, (payload) => onSignal(payload).catch(fail), age)
  const unsubscribeRights = context.live.on(rightsChannel, (payload) => onRights(payload).catch(fail))
  onRights('').catch(fail) // they may have changed after this request was authenticated
  const unregister = registerStream(me.sessionHash.toString('base64'), end)
  if (closing.aborted)
    end() // the server is already stopping
  else closing.addEventListener('abort', end)
  stream.on('close', () => {
    clearInterval(heartbeat)
    unsubscribe()
    unsubscribeChanges()
    unsubscribeSignals()
    unsubscribeRights()
    unregister()
    closing.removeEventListener('abort', end)
  })

  say('retry: 3000\n\n') // also sends the headers
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream)
}

/** The checks that every call passes before its handler. */
const mayListen = (person: CurrentUser | null): person is CurrentUser =>
  person !== null && !person.mustEnrol && leadsContract.events.allow(person)

const formatSseEvent = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Registers a stream, and ends the session's oldest one if there are too many. Returns a function that unregisters it. */
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

/** The last announcement: every stream of this process hears the same text. */
let lastAnnouncement: { payload: string; read: LeadAnnouncement | null } = { payload: '', read: null }

/** Returns null for an invalid payload, which is a bug. */
function parseAnnouncement(payload: string, context: AppContext): LeadAnnouncement | null {
  if (lastAnnouncement.payload !== payload)
    lastAnnouncement = { payload, read: parseNotification(announcementSchema, payload, context) }
  return lastAnnouncement.read
}

function parseNotification<T>(schema: z.ZodType<T>, payload: string, context: AppContext): T | null {
  try {
    return schema.parse(JSON.parse(payload))
  } catch (error) {
    context.log.error({ err: error }, 'invalid notification of leads')
    return null
  }
}

/** Returns what a person is told: of the leads that they saw, the fields that they may read. */
function describeChanges(person: CurrentUser, { leads }: LeadAnnouncement): LeadChange[] {
  const readable: ReadonlySet<string> = getReadableFields(person)
  return leads.flatMap(({ id, version, was, now, fields, others }): LeadChange[] => {
    if (!canSeeLead(person, was)) return []
    if (!canSeeLead(person, now)) return [{ id, version, fields: {}, whole: false, gone: true }]
    const told = Object.entries(fields).filter(([name]) => readable.has(name))
    const whole = !others.some((name) => readable.has(name))
    // Of what they may not read, they are not even told that it has changed.
    const moved = was.campaign_id !== now.campaign_id && { moved: now.campaign_id }
    return told.length > 0 || !whole ? [{ id, version, fields: Object.fromEntries(told), whole, ...moved }] : []
  })
}

/** Returns a function that reads the person, cached for `rightsTtlMs`; null when their session is gone. */
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
