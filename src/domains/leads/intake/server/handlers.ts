import type { FastifyRequest } from 'fastify'
import type { House } from '#core/app-context.ts'
import { forbidden, Refusal } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { intake as contract } from '../contract.ts'
import type { Arrived } from './inbox.ts'
import { type Proof, proofOfCallRail, proofOfForm } from './verify-signature.ts'

const taken = { success: true } as const

/** An event is believed, stored as it is, and answered; what is in it is looked at afterwards, by the worker. */
export const intakeCalls = implement(contract, {
  callrail: ({ house, me, body, request }) => {
    const { signature } = request.headers
    return store(me, 'callrail', request, body, house, () =>
      proofOfCallRail(house, body, typeof signature === 'string' ? signature : ''),
    )
  },

  formidable: ({ house, me, body, request, params }) =>
    store(me, 'formidable', request, body, house, () =>
      proofOfForm(house, params.id, request.headers.authorization ?? ''),
    ),
})

async function store(
  me: Me | null,
  provider: Arrived['provider'],
  request: FastifyRequest,
  body: Buffer,
  house: House,
  prove: () => Promise<Proof>,
) {
  if (me) throw forbidden() // a session is no proof, and nobody sends these by hand
  const proof = await prove()
  if (!proof.proven) throw new Refusal(401, 'The signature or key is wrong')
  await house.inbox.store({ provider, clientsite_id: proof.siteId, headers: telling(request), body })
  return taken
}

/** The headers that may explain an event later on; none that opens anything. */
function telling({ raw }: FastifyRequest): Record<string, string> {
  const kept = ['content-type', 'user-agent', 'signature', 'x-hook-test']
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index]!.toLowerCase()
    if (kept.includes(name)) pairs.push([name, raw.rawHeaders[index + 1]!.slice(0, 500)])
  }
  return Object.fromEntries(pairs)
}
