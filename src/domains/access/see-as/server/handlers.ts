import { writeAudit } from '#core/audit/write-audit.ts'
import { HttpError, notFoundError } from '#core/http/errors.ts'
import { canSeeAs, isListedFor } from '#domains/access/server/can-assign.ts'
import { findCurrentUserById } from '#domains/access/server/current-user.ts'
import { startView } from '#domains/access/server/session-tokens.ts'
import { implementContract } from '#domains/app-context.ts'
import { seeAsContract } from '../contract.ts'

export const seeAsHandlers = implementContract(seeAsContract, {
  begin: ({ db, me, params, actor, request }) =>
    db.transaction(async (tx) => {
      const seen = await findCurrentUserById(tx, params.id)
      if (!seen) throw notFoundError()
      if (!isListedFor(me, seen)) throw notFoundError()
      if (!canSeeAs(me, seen)) throw new HttpError(403, 'You can only see as people all of whose rights you have')
      const token = await startView(tx, me, seen.id, { address: request.ip })
      await writeAudit(tx, actor, {
        kind: 'see-as',
        rowId: seen.id,
        before: null,
        after: { username: seen.username },
      })
      return { token }
    }),
})
