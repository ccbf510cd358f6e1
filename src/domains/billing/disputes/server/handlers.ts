import { implementContract } from '#domains/app-context.ts'
import { disputesContract } from '../contract.ts'
import { decideDispute } from './decide.ts'
import { readDispute, readDisputesPage } from './queries.ts'

export const disputesHandlers = implementContract(disputesContract, {
  list: ({ db, me, context, query }) => readDisputesPage(db, { me, zone: context.settings.AGENCY_TIMEZONE }, query),

  decide: async ({ db, me, actor, context, params, body }) => {
    const zone = context.settings.AGENCY_TIMEZONE
    await decideDispute(db, { me, actor, zone, context }, params.id, body)
    return readDispute(db, { me, zone }, params.id)
  },
})
