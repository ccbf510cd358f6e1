import type { DbOrTx } from '#core/db/db.ts'
import { HttpError, tooManyRequestsError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { readAgencyBrand } from '#domains/agency/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { readDisputeAnswer } from '#domains/billing/public.ts'
import { createRecordingUrl } from '#domains/leads/recordings/server/recording-address.ts'
import { ratingContract, ratingMessages } from '../contract.ts'
import { saveFeedback } from './mutations.ts'
import { findLeadByKey, readEarlierChoice, readRatedLead } from './rated-lead.ts'

/** Per IP address. */
const countVisit = createRateLimit(60, 'Too many visits at once, please try again in a minute')
const countChange = createRateLimit(30, 'Too many changes at once, please try again in a minute')
const leadNotFound = () => new HttpError(404, ratingMessages.notFound)

/** The public page of one lead. Only its key counts: a session adds nothing. */
export const ratingHandlers = implementContract(ratingContract, {
  get: async ({ db, params, query, context, request, reply }) => {
    reply.header('x-robots-tag', 'noindex')
    await countVisit(context, request.ip)
    const zone = context.settings.AGENCY_TIMEZONE
    const opened = await findLeadByKey(db, params.leadId, requireAuthKey(query))
    if (opened && 'lostBy' in opened) throw await reassignedError(db, opened, zone)
    const lead = opened && (await readRatedLead(db, opened.leadId, zone))
    if (!lead) throw leadNotFound()
    const { isRecorded, ...rest } = lead
    const by = `rating key ${opened.keyId}`
    const agency = await readAgencyBrand(db, context.settings)
    const earlier_choice = await readEarlierChoice(db, opened.keyId)
    return {
      ...rest,
      earlier_choice,
      agency,
      recording: isRecorded ? createRecordingUrl(context.secrets, opened.leadId, by) : null,
    }
  },

  save: async ({ db, params, query, body, context, actor, request, reply }) => {
    reply.header('x-robots-tag', 'noindex')
    await countChange(context, request.ip)
    const visit = { address: request.ip, user_agent: request.headers['user-agent']?.slice(0, 300) ?? null }
    const zone = context.settings.AGENCY_TIMEZONE
    const saved = await saveFeedback(db, {
      leadId: params.leadId,
      key: requireAuthKey(query),
      form: body,
      visit,
      actor: { ...actor, me: null },
      zone,
    })
    if (saved === 'not found') throw leadNotFound()
    if (saved === 'too often')
      throw tooManyRequestsError('This lead was changed too often, please try again later', 3600)
    if ('lostBy' in saved) throw await reassignedError(db, saved, zone)
    return { message: ratingMessages.saved, ...(saved.dispute && { dispute: saved.dispute }) }
  },
})

/** 410, with the agency's answer if the client had said that this is not a lead. */
async function reassignedError(
  db: DbOrTx,
  { leadId, lostBy }: { leadId: number; lostBy: number },
  zone: string,
): Promise<HttpError> {
  const dispute = await readDisputeAnswer(db, { leadId, clientId: lostBy, zone })
  const { state, answer } = dispute ?? {}
  const more = answer ? { dispute: { state, answer } } : undefined
  return new HttpError(410, ratingMessages.reassigned, undefined, more)
}

function requireAuthKey({ auth_key }: { auth_key?: string | undefined }): string {
  if (!auth_key) throw new HttpError(403, ratingMessages.denied)
  return auth_key
}
