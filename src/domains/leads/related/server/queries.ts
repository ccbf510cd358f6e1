import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import type { LeadListQuery } from '#domains/leads/contract.ts'
import { readLeadsPage } from '#domains/leads/list/server/queries.ts'
import { hasCampaignSql, noLeadCondition } from '#domains/leads/model/lead-key.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { LeadReader } from '#domains/leads/model/serializer.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'

type RelatedLeadBase = Pick<typeof leadsTable.$inferSelect, 'id' | 'campaign_id' | 'phone_key' | 'email_key'>
type RelatedPageQuery = Pick<LeadListQuery, 'page' | 'per_page' | 'sort' | 'order' | 'global'>

/** Returns a page of the leads with the same phone or email, as the JSON of the response. */
export function readRelatedPage(
  db: Db,
  reader: LeadReader,
  base: RelatedLeadBase,
  query: RelatedPageQuery,
): Promise<string> {
  const where = query.global
    ? relatedToCondition(base)
    : and(relatedToCondition(base), eq(leadsTable.campaign_id, base.campaign_id), hasCampaignSql)
  const visible = and(where, visibleLeadsCondition(reader.me))!
  return readLeadsPage(db, reader, { where: visible, readsRows: true, sums: null }, query)
}

/** Uses one index lookup for the phone and one for the email; a lead without both matches none. */
function relatedToCondition({ id, phone_key: phone, email_key: email }: RelatedLeadBase): SQL {
  const same = [
    ...(phone === null ? [] : [sql`${leadsTable.phone_key} = ${phone}`]),
    ...(email === null ? [] : [sql`${leadsTable.email_key} = ${email}`]),
  ]
  return same.length === 0 ? noLeadCondition : sql`(${sql.join(same, sql` or `)}) and ${leadsTable.id} <> ${id}`
}
