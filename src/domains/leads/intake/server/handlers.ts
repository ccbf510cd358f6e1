import type { FastifyRequest } from 'fastify'
import { forbiddenError, HttpError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { intakeContract } from '../contract.ts'
import { pickDebugHeaders } from './debug-headers.ts'
import type { ReceivedEvent } from './inbox.ts'
import { type SenderVerification, verifyCallRailSender, verifyFormSender } from './verify-signature.ts'

const acceptedResponse = { success: true } as const

/** An event is believed, stored as it is, and answered; what is in it is looked at afterwards, by the worker. */
export const intakeHandlers = implementContract(intakeContract, {
  callrail: ({ context, me, body, request }) => {
    const { signature } = request.headers
    return storeEvent(me, 'callrail', request, body, context, () =>
      verifyCallRailSender(context, body, typeof signature === 'string' ? signature : ''),
    )
  },

  formidable: ({ context, me, body, request, params }) =>
    storeEvent(me, 'formidable', request, body, context, () =>
      verifyFormSender(context, params.id, request.headers.authorization ?? ''),
    ),
})

async function storeEvent(
  me: CurrentUser | null,
  provider: ReceivedEvent['provider'],
  request: FastifyRequest,
  body: Buffer,
  context: AppContext,
  prove: () => Promise<SenderVerification>,
) {
  if (me) throw forbiddenError() // a session is no proof, and these are not sent by hand
  const proof = await prove()
  if (!proof.proven) throw new HttpError(401, 'The signature or key is wrong')
  await context.inbox.store({
    provider,
    clientsite_id: proof.siteId,
    headers: pickDebugHeaders(request),
    body,
  })
  return acceptedResponse
}
