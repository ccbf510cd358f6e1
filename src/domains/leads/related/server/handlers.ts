import { and, eq, type SQL, sql } from 'drizzle-orm'
import { forbiddenError, notFoundError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/handle.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { readLeadsPage } from '#domains/leads/list/server/queries.ts'
import { duplicateLeadCondition } from '#domains/leads/model/duplicates.ts'
import { assertReadableQuery } from '#domains/leads/model/filter.ts'
import { hasCampaignSql } from '#domains/leads/model/lead-key.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { readLeadJson } from '#domains/leads/model/serializer.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import { canSeeAcrossCampaigns, relatedLeadsContract } from '../contract.ts'

export const relatedLeadsHandlers = implementContract(relatedLeadsContract, {
  ofLead: async (call) => {
    const { db, me, params, query } = call
    if (query.global && !canSeeAcrossCampaigns(me)) throw forbiddenError()
    assertReadableQuery(me, query)
    const [base] = await db
      .select({
        id: leadsTable.id,
        campaign_id: leadsTable.campaign_id,
        phone: leadsTable.phone_key,
        email: leadsTable.email_key,
      })
      .from(leadsTable)
      .where(and(eq(leadsTable.id, params.id), visibleLeadsCondition(me)))
    if (!base) throw notFoundError()
    const where = query.global
      ? relatedToCondition(base)
      : and(relatedToCondition(base), eq(leadsTable.campaign_id, base.campaign_id), hasCampaignSql)
    const reader = toLeadReader(call)
    const page = await readLeadsPage(
      db,
      reader,
      { where: and(where, visibleLeadsCondition(me))!, readsRows: true },
      query,
    )
    return new JsonText(`{"lead":${await readLeadJson(db, reader, base.id)},${page.slice(1)}`)
  },

  everywhere: async (call) => {
    assertReadableQuery(call.me, call.query)
    return new JsonText(await readLeadsPage(call.db, toLeadReader(call), selectAcrossCampaigns(call.me), call.query))
  },
})

const toLeadReader = ({
  me,
  context,
}: Pick<EndpointCall<typeof relatedLeadsContract.everywhere>, 'me' | 'context'>) => ({
  me,
  zone: context.settings.AGENCY_TIMEZONE,
})

type RelatedLeadBase = { id: number; phone: string | null; email: string | null }

/** A look into the index of phones and one into that of emails; a lead that has neither is related to none. */
function relatedToCondition({ id, phone, email }: RelatedLeadBase): SQL {
  const same = [
    ...(phone === null ? [] : [sql`${leadsTable.phone_key} = ${phone}`]),
    ...(email === null ? [] : [sql`${leadsTable.email_key} = ${email}`]),
  ]
  return same.length === 0 ? sql`false` : sql`(${sql.join(same, sql` or `)}) and ${leadsTable.id} <> ${id}`
}

/**
 * Who sees every campaign asks the stored columns alone. For anybody else the other lead must be one that they see, too; it has
 * the same phone or email, so it is among the stored ones of their campaigns.
 */
function selectAcrossCampaigns(me: CurrentUser): { where: SQL; readsRows: boolean } {
  if (me.campaignIds === null) return { where: duplicateLeadCondition, readsRows: false }
  const theirs = sql`${duplicateLeadCondition} and ${visibleLeadsCondition(me)}`
  const twice = (key: SQL) =>
    sql`${key} in (select ${key} from ${leadsTable} where ${theirs} group by ${key} having count(*) > 1)`
  return {
    where: sql`${theirs} and (${twice(sql`${leadsTable.phone_key}`)} or ${twice(sql`${leadsTable.email_key}`)})`,
    readsRows: true,
  }
}
