import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '../schema.ts'
import { currentTarget } from './current-target.ts'
import { campaignsWithClient } from './serializer.ts'

/** The campaigns that this person may see, by name, as JSON; after them, when asked and for admins, the teams. */
export async function pickedCampaigns(db: Queries, me: Me, zone: string, withTeams: boolean): Promise<string> {
  const teams =
    withTeams && me.isAdmin
      ? sql`union all select 1, lower(name), id, ${team} from teams where deleted_at is null`
      : sql``
  const found = await db.execute<{ json: string }>(sql`
    select coalesce(json_agg(picked order by kind, name, id), '[]')::text as json from (
      select 0 as kind, lower(${campaigns.name}) as name, ${campaigns.id}, ${fieldsFor(me, zone, withTeams)} as picked
      from ${campaignsWithClient} left join ${categories} on category.campaign_id = ${campaigns.id} where ${inTheirCampaigns(me, campaigns.id) ?? sql`true`} ${teams}) pickable`)
  return found.rows[0]!.json
}

/** Of all campaigns at once: a picker shows them all. */
const categories = sql`(
  select l.campaign_id, json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name), g.id) as list
  from campaign_category_links l join campaign_categories g on g.id = l.category_id group by l.campaign_id) category`

const team = sql`json_build_object('id', id, 'name', name, 'archived', 0, 'type', 'team', 'key', 'team-' || id)`

/** Names for everyone who sees the campaign; the client for admins; the rest for those whose pages show it. */
function fieldsFor(me: Me, zone: string, withTeams: boolean): SQL {
  const { permissions } = me
  const fields = [sql`'id', ${campaigns.id}, 'name', ${campaigns.name}, 'archived', ${campaigns.archived}::int`]
  if (me.isAdmin) {
    fields.push(
      sql`'client', json_build_object('id', clients.id, 'name', clients.name), 'categories', coalesce(category.list, '[]')`,
    )
    if (permissions.campaigns || permissions.leadChart || permissions.changelog)
      fields.push(
        sql`'is_ppc', ${campaigns.is_ppc}::int, 'leads_target', ${currentTarget(zone)}, 'trouble_state', ${campaigns.trouble_state}, 'notes', ${campaigns.notes}`,
      )
  }
  if (withTeams) fields.push(sql`'type', 'campaign', 'key', 'campaign-' || ${campaigns.id}`)
  return sql`json_build_object(${sql.join(fields, sql`, `)})`
}
