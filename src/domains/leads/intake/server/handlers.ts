import { forbiddenError, HttpError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { intakeContract } from '../contract.ts'
import { pickDebugHeaders } from './debug-headers.ts'
import { receiveEvent } from './receive-event.ts'

const acceptedResponse = { success: true } as const

/** Verifies an event's sender, stores it as it is, and responds; the worker parses it afterwards. */
export const intakeHandlers = implementContract(intakeContract, {
  callrail: async ({ context, me, body, request }) => {
    rejectSession(me)
    const { signature } = request.headers
    const claim = { provider: 'callrail', signature: typeof signature === 'string' ? signature : '' } as const
    if (!(await receiveEvent(context, claim, { headers: pickDebugHeaders(request), body }))) throw wrongProofError()
    return acceptedResponse
  },

  formidable: async ({ context, me, body, request, params }) => {
    rejectSession(me)
    const { authorization = '' } = request.headers
    const claim = { provider: 'formidable', siteId: params.id, authorization } as const
    if (!(await receiveEvent(context, claim, { headers: pickDebugHeaders(request), body }))) throw wrongProofError()
    return acceptedResponse
  },
})

/** A session does not prove the sender, and hooks are not sent by hand. */
function rejectSession(me: CurrentUser | null) {
  if (me) throw forbiddenError()
}

const wrongProofError = () => new HttpError(401, 'The signature or key is wrong')
