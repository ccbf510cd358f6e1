import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { campaignCategoriesTable } from '../categories/schema.ts'
import { campaignCategoryLinksTable, campaignsTable } from '../schema.ts'
import { currentTargetSql } from './current-target.ts'
import { campaignsWithClientSql } from './serializer.ts'

/** Returns the campaigns that this person may see, by name, as JSON; then, if requested and for admins, the teams. */
export async function readCampaignOptions(
  db: DbOrTx,
  me: CurrentUser,
  zone: string,
  withTeams: boolean,
): Promise<string> {
  const teams =
    withTeams && me.isAdmin
      ? sql`union all select 1, fold_text(name), id, ${teamOptionSql} from ${teamsTable} where deleted_at is null`
      : sql``
  const found = await db.execute<{ json: string }>(sql`
    select coalesce(json_agg(picked order by kind, name, id), '[]')::text as json from (
      select 0 as kind, fold_text(${campaignsTable.name}) as name, ${campaignsTable.id}, ${buildOptionFields(me, zone, withTeams)} as picked
      from ${campaignsWithClientSql} left join ${categoryListSql} on category.campaign_id = ${campaignsTable.id} where ${inVisibleCampaigns(me, campaignsTable.id) ?? sql`true`} ${teams}) pickable`)
  return found.rows[0]!.json
}

/** Joined once for all campaigns, because a picker shows them all. */
const categoryListSql = sql`(
  select l.campaign_id, json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by fold_text(g.name), g.id) as list
  from ${campaignCategoryLinksTable} l join ${campaignCategoriesTable} g on g.id = l.category_id group by l.campaign_id) category`

const teamOptionSql = sql`json_build_object('id', id, 'name', name, 'archived', 0, 'type', 'team', 'key', 'team-' || id)`

/** Selects names for everyone who sees the campaign, the client for admins, and other fields for those whose pages show them. */
function buildOptionFields(me: CurrentUser, zone: string, withTeams: boolean): SQL {
  const { permissions } = me
  const fields = [
    sql`'id', ${campaignsTable.id}, 'name', ${campaignsTable.name}, 'archived', ${campaignsTable.archived}::int`,
  ]
  if (me.isAdmin) {
    fields.push(
      sql`'client', json_build_object('id', ${clientsTable.id}, 'name', ${clientsTable.name}), 'categories', coalesce(category.list, '[]')`,
    )
    if (permissions.campaigns || permissions.leadChart || permissions.changelog)
      fields.push(
        sql`'is_ppc', ${campaignsTable.is_ppc}::int, 'leads_target', ${currentTargetSql(zone)}, 'trouble_state', ${campaignsTable.trouble_state}, 'notes', ${campaignsTable.notes}`,
      )
  }
  if (withTeams) fields.push(sql`'type', 'campaign', 'key', 'campaign-' || ${campaignsTable.id}`)
  return sql`json_build_object(${sql.join(fields, sql`, `)})`
}
