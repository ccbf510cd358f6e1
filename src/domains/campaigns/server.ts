import { sql } from 'drizzle-orm'
import { implement, JsonText } from '#server/implement.ts'
import type { Me } from '#server/me.ts'
import { inTheirCampaigns } from '#server/scope.ts'
import { campaigns as contract } from './contract.ts'
import { currentTarget } from './current-target.ts'
import { campaigns } from './table.ts'

export const campaignsCalls = implement(contract, {
  all: async ({ db, me, house }) => {
    const visible = inTheirCampaigns(me, campaigns.id) ?? sql`true`
    const found = await db.execute<{ json: string }>(sql`
      select coalesce(json_agg(${pickedFields(me, house.settings.AGENCY_TIMEZONE)} order by lower(${campaigns.name}), ${campaigns.id}), '[]')::text as json
      from ${campaigns} join clients on clients.id = ${campaigns.client_id}
      where ${visible}`)
    return new JsonText(found.rows[0]?.json ?? '[]')
  },
})

/** Names for everyone who sees the campaign; the client for admins; the rest for those whose pages show it. */
function pickedFields(me: Me, zone: string) {
  const fields = [sql`'id', ${campaigns.id}, 'name', ${campaigns.name}, 'archived', ${campaigns.archived}::int`]
  const { permissions } = me
  if (me.isAdmin) {
    fields.push(sql`'client', json_build_object('id', clients.id, 'name', clients.name)`)
    fields.push(sql`'categories', (
      select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name)), '[]')
      from campaign_category_links l join campaign_categories g on g.id = l.category_id where l.campaign_id = ${campaigns.id})`)
    if (permissions.campaigns || permissions.leadChart || permissions.changelog)
      fields.push(
        sql`'is_ppc', ${campaigns.is_ppc}::int, 'leads_target', ${currentTarget(zone)}, 'trouble_state', ${campaigns.trouble_state}, 'notes', ${campaigns.notes}`,
      )
  }
  return sql`json_build_object(${sql.join(fields, sql`, `)})`
}
