import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import type { StatementListQuery } from '../list/contract.ts'

/** The reader, and the agency's time zone. */
export type StatementReader = { me: CurrentUser; zone: string }

type BilledClient = { id: number; name: string; isOff: boolean; removedAt: Date | null }
/** What the cycles of a campaign, and the charges in them, follow from. */
export const billedColumns = {
  id: campaignsTable.id,
  name: campaignsTable.name,
  archived: campaignsTable.archived,
  start_date: campaignsTable.start_date,
  service_fee: campaignsTable.service_fee,
  due_date: campaignsTable.due_date,
  created_at: campaignsTable.created_at,
}
export type BilledCampaign = Pick<typeof campaignsTable.$inferSelect, keyof typeof billedColumns> & {
  client: BilledClient
}

/** The campaigns whose statements this person sees. */
export const billedCampaignsCondition = (
  me: CurrentUser,
  { campaign_ids }: Pick<StatementListQuery, 'campaign_ids'>,
): SQL | undefined =>
  and(
    inVisibleCampaigns(me, campaignsTable.id),
    campaign_ids && sql`${campaignsTable.id} = any(${sql.param(campaign_ids)}::int[])`,
  )

/** Returns these campaigns by name, each with its client of today. */
export async function readBilledCampaigns(db: DbOrTx, where: SQL | undefined): Promise<BilledCampaign[]> {
  const rows = await db
    .select({
      ...billedColumns,
      client_id: clientsTable.id,
      client_name: clientsTable.name,
      isOff: sql<boolean>`not coalesce(${usersTable.is_active}, true)`,
      removedAt: clientsTable.deleted_at,
    })
    .from(campaignsTable)
    .innerJoin(clientsTable, eq(clientsTable.id, campaignsTable.client_id))
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(where)
    .orderBy(asc(campaignsTable.name), asc(campaignsTable.id))
  return rows.map(({ client_id, client_name, isOff, removedAt, ...campaign }) => ({
    ...campaign,
    client: { id: client_id, name: client_name, isOff, removedAt },
  }))
}
