import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { campaignCategoryLinksTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type CampaignRecord, maxRecordRows, recordDays } from '../contract.ts'

/** Reads the campaign with the parts that this user may read elsewhere too. Throws 404 for a campaign that the user may not see. */
export async function readCampaignRecord(db: DbOrTx, me: CurrentUser, campaignId: number): Promise<CampaignRecord> {
  const campaign = await requireCampaign(db, me, campaignId)
  const { id, name, archived, trouble_state, is_ppc, notes, manager, start_date, due_date } = campaign
  const { isAdmin, permissions } = me
  const isReader = isAdmin && (permissions.campaigns || permissions.leadChart || permissions.changelog)
  const readsSources = isAdmin && (permissions.leads || permissions.archivedleads || permissions.leadChart)
  const [client, categories, sources, tasks, people] = await Promise.all([
    isAdmin ? readClientName(db, campaign.client_id) : null,
    isAdmin ? readCategories(db, id) : null,
    readsSources ? readSources(db, id) : null,
    isAdmin && (permissions.changelog || permissions.activityLog) ? readOpenTasks(db, id) : null,
    isAdmin && !me.key ? readPeople(db, id) : null,
  ])
  return {
    id,
    name,
    archived: archived ? 1 : 0,
    client,
    categories,
    state: isReader ? { trouble_state, is_ppc: is_ppc ? 1 : 0, notes } : null,
    contract: isAdmin && permissions.campaigns ? { manager, start_date, due_date } : null,
    sources,
    tasks,
    people,
  }
}

async function readClientName(db: DbOrTx, id: number) {
  const [client] = await db
    .select({ id: clientsTable.id, name: clientsTable.name })
    .from(clientsTable)
    .where(eq(clientsTable.id, id))
  return client ?? null
}

const readCategories = (db: DbOrTx, campaignId: number) =>
  db
    .select({
      id: campaignCategoriesTable.id,
      name: campaignCategoriesTable.name,
      color: campaignCategoriesTable.color,
    })
    .from(campaignCategoryLinksTable)
    .innerJoin(campaignCategoriesTable, eq(campaignCategoriesTable.id, campaignCategoryLinksTable.category_id))
    .where(eq(campaignCategoryLinksTable.campaign_id, campaignId))
    .orderBy(textOrderSql(campaignCategoriesTable.name), campaignCategoriesTable.id)

async function readSources(db: DbOrTx, campaignId: number) {
  const now = Date.now()
  const { rows } = await db.execute<NonNullable<CampaignRecord['sources']>[number]>(sql`
    select coalesce(nullif(source, ''), 'Unknown') as source, lead_type as type, count(*)::int as leads,
      count(*) filter (where confirmed)::int as verified,
      to_char(max(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last_at
    from ${leadsTable} where campaign_id = ${campaignId} and not archived and not hide
      and occurred_at >= ${new Date(now - recordDays * msPerDay)} and occurred_at <= ${new Date(now)}
    group by 1, 2 order by leads desc, source, type`)
  return rows
}

async function readOpenTasks(db: DbOrTx, campaignId: number) {
  const open = and(
    eq(activityItemsTable.campaign_id, campaignId),
    eq(activityItemsTable.is_task, true),
    eq(activityItemsTable.is_done, false),
    isNull(activityItemsTable.deleted_at),
  )
  const [data, total] = await Promise.all([
    db
      .select({
        id: activityItemsTable.id,
        date: activityItemsTable.date,
        note: activityItemsTable.note,
        assignee: sql<string | null>`coalesce(${activityItemsTable.assignee_name}, ${usersTable.username})`,
      })
      .from(activityItemsTable)
      .leftJoin(usersTable, eq(usersTable.id, activityItemsTable.assignee_id))
      .where(open)
      .orderBy(asc(activityItemsTable.date), activityItemsTable.id)
      .limit(maxRecordRows),
    db.$count(activityItemsTable, open),
  ])
  return { data, total }
}

/** Leaves super admins out, because they see every campaign. */
const readPeople = (db: DbOrTx, campaignId: number) =>
  db
    .select({ id: usersTable.id, username: usersTable.username, role: usersTable.role })
    .from(userCampaignsTable)
    .innerJoin(usersTable, eq(usersTable.id, userCampaignsTable.user_id))
    .where(
      and(
        eq(userCampaignsTable.campaign_id, campaignId),
        inArray(usersTable.role, ['admin', 'leads_handler']),
        eq(usersTable.is_active, true),
        isNull(usersTable.deleted_at),
      ),
    )
    .orderBy(textOrderSql(usersTable.username), usersTable.id)
