import { and, eq, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#core/http/errors.ts'
import { type Call, implement, JsonText } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { leadsPage } from '#domains/leads/list/server/queries.ts'
import { isShared } from '#domains/leads/model/duplicates.ts'
import { refuseUnreadable } from '#domains/leads/model/filter.ts'
import { hasCampaign } from '#domains/leads/model/lead-key.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { leadJson } from '#domains/leads/model/serializer.ts'
import { visibleTo } from '#domains/leads/model/visibility.ts'
import { related as contract, seesAcrossCampaigns } from '../contract.ts'

export const relatedCalls = implement(contract, {
  ofLead: async (call) => {
    const { db, me, params, query } = call
    if (query.global && !seesAcrossCampaigns(me)) throw forbidden()
    refuseUnreadable(me, query)
    const [base] = await db
      .select({ id: leads.id, campaign_id: leads.campaign_id, phone: leads.phone_key, email: leads.email_key })
      .from(leads)
      .where(and(eq(leads.id, params.id), visibleTo(me)))
    if (!base) throw notFound()
    const where = query.global
      ? relatedTo(base)
      : and(relatedTo(base), eq(leads.campaign_id, base.campaign_id), hasCampaign)
    const reader = readerOf(call)
    const page = await leadsPage(db, reader, { where: and(where, visibleTo(me))!, readsRows: true }, query)
    return new JsonText(`{"lead":${await leadJson(db, reader, base.id)},${page.slice(1)}`)
  },

  everywhere: async (call) => {
    refuseUnreadable(call.me, call.query)
    return new JsonText(await leadsPage(call.db, readerOf(call), acrossCampaigns(call.me), call.query))
  },
})

const readerOf = ({ me, house }: Pick<Call<typeof contract.everywhere>, 'me' | 'house'>) => ({
  me,
  zone: house.settings.AGENCY_TIMEZONE,
})

type Base = { id: number; phone: string | null; email: string | null }

/** A look into the index of phones and one into that of emails; a lead that has neither is related to none. */
function relatedTo({ id, phone, email }: Base): SQL {
  const same = [
    ...(phone === null ? [] : [sql`${leads.phone_key} = ${phone}`]),
    ...(email === null ? [] : [sql`${leads.email_key} = ${email}`]),
  ]
  return same.length === 0 ? sql`false` : sql`(${sql.join(same, sql` or `)}) and ${leads.id} <> ${id}`
}

/**
 * Who sees every campaign asks the stored columns alone. For anybody else the other lead must be one that they see, too; it has
 * the same phone or email, so it is among the stored ones of their campaigns.
 */
function acrossCampaigns(me: Me): { where: SQL; readsRows: boolean } {
  if (me.campaignIds === null) return { where: isShared, readsRows: false }
  const theirs = sql`${isShared} and ${visibleTo(me)}`
  const twice = (key: SQL) =>
    sql`${key} in (select ${key} from ${leads} where ${theirs} group by ${key} having count(*) > 1)`
  return {
    where: sql`${theirs} and (${twice(sql`${leads.phone_key}`)} or ${twice(sql`${leads.email_key}`)})`,
    readsRows: true,
  }
}
