import { and, eq } from 'drizzle-orm'
import { auditTable } from '#core/db/schema.ts'
import { forbiddenError, notFoundError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/json-text.ts'
import { implementContract } from '#domains/app-context.ts'
import { getReadableFields } from '#domains/leads/contract.ts'
import { assertWritableFields, editLead } from '#domains/leads/model/edit-lead.ts'
import { toLeadReader } from '#domains/leads/model/serializer.ts'
import { leadHistoryContract } from '../contract.ts'
import { buildRestoreUpdate } from './changes.ts'
import { readLeadHistory, readVisibleLead } from './queries.ts'

export const leadHistoryHandlers = implementContract(leadHistoryContract, {
  read: async ({ db, me, params, context }) => {
    const row = await readVisibleLead(db, me, params.id)
    return readLeadHistory(db, me, row, context.settings.AGENCY_TIMEZONE)
  },

  restore: async ({ db, me, params, body, context, actor }) => {
    const row = await readVisibleLead(db, me, params.id)
    const [entry] = await db
      .select({ before: auditTable.before })
      .from(auditTable)
      .where(and(eq(auditTable.id, body.audit_id), eq(auditTable.kind, 'lead'), eq(auditTable.row_id, row.id)))
    if (!entry) throw notFoundError()
    const known: ReadonlySet<string> = getReadableFields(me)
    if (!known.has(body.field)) throw forbiddenError()
    assertWritableFields(me, [body.field])
    const wanted = buildRestoreUpdate(entry, body.field)
    const edit = { id: row.id, context, wanted, seen: body.version, putBack: body.field === 'campaign_id' }
    return new JsonText(await editLead(db, toLeadReader({ me, context }), actor, edit))
  },
})
