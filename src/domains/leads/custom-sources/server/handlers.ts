import { runTransaction } from '#core/db/db.ts'
import { forbiddenError, HttpError, notFoundError, validationError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { pickDebugHeaders } from '../../intake/server/debug-headers.ts'
import { receiveEvent } from '../../intake/server/receive-event.ts'
import { customSourcesContract } from '../contract.ts'
import { previewLead } from './map-lead.ts'
import { addCustomSource, removeCustomSource, replaySourceEvents, updateCustomSource } from './mutations.ts'
import {
  type ReceivedSample,
  readCustomSource,
  readCustomSourcesPage,
  readSamples,
  readSourceEvents,
} from './queries.ts'
import { readSourceBody, UnreadableBodyError } from './read-body.ts'

const acceptedResponse = { success: true } as const

export const customSourcesHandlers = implementContract(customSourcesContract, {
  receive: async ({ context, me, params, body, request }) => {
    if (me) throw forbiddenError() // a session does not prove the sender, and leads are not sent by hand
    const headers = pickDebugHeaders(request)
    if (body.length === 0) assertReadable(body, '') // how some services try an address: no lead is lost
    if (!(await receiveEvent(context, { provider: 'other', key: params.key }, { headers, body }))) throw notFoundError()
    assertReadable(body, headers['content-type'] ?? '') // after it is stored: staff see what was refused, and who sent it
    return acceptedResponse
  },

  list: ({ context, me, query }) => readCustomSourcesPage(context, me, query),

  create: ({ db, body, ...by }) =>
    db.transaction(async (tx) => readCustomSource(by.context, tx, by.me, await addCustomSource(tx, by, body))),

  get: ({ context, db, me, params }) => readCustomSource(context, db, me, params.id),

  update: ({ db, body, params, ...by }) =>
    db.transaction(async (tx) => {
      await updateCustomSource(tx, by, params.id, body)
      return readCustomSource(by.context, tx, by.me, params.id)
    }),

  remove: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await removeCustomSource(tx, by, params.id)
    }),

  preview: async ({ context, db, me, params, body }) => {
    const source = await readCustomSource(context, db, me, params.id)
    const { preset } = source
    const zone = context.settings.AGENCY_TIMEZONE
    const map = (sample: ReceivedSample) => previewLead({ ...sample, preset, mapping: body.mapping, zone })
    const samples = await readSamples(db, me, source.id, 20)
    const recent = samples.map((sample) => ({
      id: sample.id,
      received_at: sample.receivedAt,
      problems: map(sample).problems,
    }))
    return { ...map(pickSample(body.sample, samples)), recent }
  },

  test: async ({ context, db, me, params, body }) => {
    const { id, preset, mapping } = await readCustomSource(context, db, me, params.id)
    const sample = pickSample(body.sample, await readSamples(db, me, id, 1))
    return previewLead({ ...sample, preset, mapping, zone: context.settings.AGENCY_TIMEZONE })
  },

  replay: ({ db, params, body, ...by }) =>
    runTransaction(db, async (tx) => ({ replayed: await replaySourceEvents(tx, by, params.id, body.ids) })),

  events: async ({ context, db, me, params, query }) => {
    await readCustomSource(context, db, me, params.id)
    return readSourceEvents(db, me, params.id, query)
  },
})

function assertReadable(body: Buffer, contentType: string) {
  try {
    readSourceBody(body, contentType)
  } catch (error) {
    if (!(error instanceof UnreadableBodyError)) throw error
    throw new HttpError(error.status, error.message)
  }
}

/** Returns the given sample, or else the newest event. Throws 422 if there is neither. */
function pickSample(sent: unknown, samples: ReceivedSample[]): ReceivedSample {
  if (sent !== undefined && sent !== null)
    return { id: 0, body: sent, bytes: Buffer.from(JSON.stringify(sent)), receivedAt: new Date() }
  const [newest] = samples
  if (!newest) throw validationError({ sample: ['Nothing received yet: please send a sample'] })
  return newest
}
