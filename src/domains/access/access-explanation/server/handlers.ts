import { and, eq, isNull } from 'drizzle-orm'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { usersTable } from '#domains/access/schema.ts'
import { findCurrentUserById } from '#domains/access/server/current-user.ts'
import { implementContract } from '#domains/app-context.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { canSeeLead } from '#domains/leads/public.ts'
import { accessExplanationContract } from '../contract.ts'
import { explainCall, findEndpoint } from './explain-call.ts'
import { readLeadReaders } from './lead-readers.ts'

export const accessExplanationHandlers = implementContract(accessExplanationContract, {
  why: async ({ db, me, query, request }) => {
    const endpoint = findEndpoint(request.server.endpoints, query.call)
    if (!endpoint) throw validationError({ call: ['There is no such call'] })
    const [known] = await db
      .select({ id: usersTable.id })
      .from(usersTable)
      .where(and(eq(usersTable.id, query.user), isNull(usersTable.deleted_at)))
    if (!known) throw notFoundError()
    const user = await findCurrentUserById(db, known.id)
    if (user) return explainCall(db, { endpoint, user, id: query.id, asker: me })
    const rule = 'The account is switched off'
    return { allowed: false, status: 401, rule, flag: null, campaign: null, fields: null }
  },

  readers: async ({ db, me, params, query }) => {
    const [lead] = await db
      .select({ campaign_id: leadsTable.campaign_id, hide: leadsTable.hide })
      .from(leadsTable)
      .where(eq(leadsTable.id, params.id))
    if (!lead || !canSeeLead(me, lead)) throw notFoundError()
    return readLeadReaders(db, lead, query)
  },
})
