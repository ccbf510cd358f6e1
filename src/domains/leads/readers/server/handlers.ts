import { eq } from 'drizzle-orm'
import { notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { leadsTable } from '../../model/schema.ts'
import { canSeeLead } from '../../model/visibility.ts'
import { leadReadersContract } from '../contract.ts'
import { readLeadReaders } from './lead-readers.ts'

export const leadReadersHandlers = implementContract(leadReadersContract, {
  list: async ({ db, me, params, query }) => {
    const [lead] = await db
      .select({ campaign_id: leadsTable.campaign_id, hide: leadsTable.hide })
      .from(leadsTable)
      .where(eq(leadsTable.id, params.id))
    if (!lead || !canSeeLead(me, lead)) throw notFoundError()
    return readLeadReaders(db, lead, query)
  },
})
