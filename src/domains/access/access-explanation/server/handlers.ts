import { and, eq, isNull } from 'drizzle-orm'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { usersTable } from '#domains/access/schema.ts'
import { findCurrentUserById } from '#domains/access/server/current-user.ts'
import { implementContract } from '#domains/app-context.ts'
import { accessExplanationContract } from '../contract.ts'
import { type ExplainedParts, explainCall, findEndpoint } from './explain-call.ts'

export const createAccessExplanationHandlers = (parts: ExplainedParts) =>
  implementContract(accessExplanationContract, {
    why: async ({ db, me, query, request }) => {
      const endpoint = findEndpoint(request.server.endpoints, query.call)
      if (!endpoint) throw validationError({ call: ['There is no such call'] })
      const [known] = await db
        .select({ id: usersTable.id })
        .from(usersTable)
        .where(and(eq(usersTable.id, query.user), isNull(usersTable.deleted_at)))
      if (!known) throw notFoundError()
      const user = await findCurrentUserById(db, known.id)
      if (user) return explainCall(db, parts, { endpoint, user, id: query.id, asker: me })
      const rule = 'The account is switched off'
      return { allowed: false, status: 401, rule, flag: null, campaign: null, fields: null }
    },
  })
