import { eq } from 'drizzle-orm'
import { campaignRule, type ExplainedFields, findCampaign, type ScopedRows } from '#domains/access/public.ts'
import { getReadableFields, getWritableFields, leadSchema } from '../../contract.ts'
import { leadsTable } from '../../model/schema.ts'
import { canSeeLead } from '../../model/visibility.ts'

export const leadRows: ScopedRows = {
  paths: /^\/(lead|recording)\/:/,
  rule: `${campaignRule}, and hidden leads are for admins`,
  find: async (db, id) => {
    const [lead] = await db
      .select({ campaign_id: leadsTable.campaign_id, hide: leadsTable.hide })
      .from(leadsTable)
      .where(eq(leadsTable.id, id))
    if (!lead) return null
    return { campaign: await findCampaign(db, lead.campaign_id), isVisibleTo: (user) => canSeeLead(user, lead) }
  },
}

export const explainedLeadFields: ExplainedFields = {
  paths: /^\/((lead|recording)\/:|leads\/list\/)/,
  explain: (user) => {
    const readable: ReadonlySet<string> = getReadableFields(user)
    const writable = getWritableFields(user)
    const names = new Set([...Object.keys(leadSchema.shape), ...writable])
    return Object.fromEntries(
      [...names].map((name) => [name, writable.has(name) ? 'write' : readable.has(name) ? 'read' : 'none']),
    )
  },
}
