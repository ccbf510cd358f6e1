import { Refusal, tooMany } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { timesAMinute } from '#core/http/rate-limit.ts'
import { recordingAddress } from '#domains/leads/recordings/server/recording-address.ts'
import { rating as contract, rateWords } from '../contract.ts'
import { saveFeedback } from './mutations.ts'
import { findOpened, readLead } from './rated-lead.ts'

/** Of one address. */
const isWithinLimit = timesAMinute(30)
const notFound = () => new Refusal(404, rateWords.notFound)

/** The public page of one lead. Its key is all that counts here: a session adds nothing. */
export const ratingCalls = implement(contract, {
  get: async ({ db, params, query, house, reply }) => {
    reply.header('x-robots-tag', 'noindex')
    const opened = await findOpened(db, params.leadId, keyOf(query))
    const lead = opened && (await readLead(db, opened.leadId, house.settings.AGENCY_TIMEZONE))
    if (!lead) throw notFound()
    const { isRecorded, ...rest } = lead
    const by = `rating key ${opened.keyId}`
    return { ...rest, recording: isRecorded ? recordingAddress(house.secrets, opened.leadId, by) : null }
  },

  save: async ({ db, params, query, body, house, actor, request, reply }) => {
    reply.header('x-robots-tag', 'noindex')
    if (!isWithinLimit(house, request.ip)) throw tooMany('Too many changes at once, please try again in a minute')
    const visit = { address: request.ip, user_agent: request.headers['user-agent']?.slice(0, 300) ?? null }
    const nobody = { ...actor, me: null }
    const saved = await saveFeedback(db, { leadId: params.leadId, key: keyOf(query), form: body, visit, actor: nobody })
    if (saved === 'not found') throw notFound()
    if (saved === 'too often') throw tooMany('This lead was changed too often, please try again later')
    return { message: rateWords.saved }
  },
})

function keyOf({ auth_key }: { auth_key?: string | undefined }): string {
  if (!auth_key) throw new Refusal(403, rateWords.denied)
  return auth_key
}
