import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PermissionFlag } from '#contract/allow.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import { notFoundError } from '#core/http/errors.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { StaffMember } from '../contract.ts'
import { type UserRole, userCampaignsTable, usersTable } from '../schema.ts'
import { hasAllRightsOf, type RightsHolder } from './can-assign.ts'
import { type CurrentUser, effectivePermissions } from './current-user.ts'
import { inVisibleCampaigns } from './row-scope.ts'

/** Admins and leads handlers, each read by the page that manages them: an id of the other role is not found there. */

export type StaffRole = Exclude<UserRole, 'customer'>
export type StaffAccount = RightsHolder & { username: string; email: string; version: number }

/** Returns the accounts of the role that this person may see, by name. */
export async function readStaffMembers(db: DbOrTx, me: CurrentUser, role: StaffRole): Promise<StaffMember[]> {
  const found = await readStaffAccounts(db, and(eq(usersTable.role, role), buildVisibleStaffFilter(me, role)))
  return found.map((one) => toStaffMember(me, one))
}

/** Returns one of these accounts; throws 404 for any other. */
export async function findStaffMember(
  db: DbOrTx,
  me: CurrentUser,
  id: number,
  role: StaffRole | readonly StaffRole[],
): Promise<StaffAccount> {
  const roles = typeof role === 'string' ? [role] : role
  const wanted = or(...roles.map((one) => and(eq(usersTable.role, one), buildVisibleStaffFilter(me, one))))
  const [found] = await readStaffAccounts(db, and(eq(usersTable.id, id), wanted))
  if (!found) throw notFoundError()
  return found
}

/** Locks the row before reading it, so that it does not change until the transaction ends. */
export async function lockStaffMember(
  tx: Tx,
  ...wanted: [me: CurrentUser, id: number, role: StaffRole | readonly StaffRole[]]
) {
  await tx.select({ id: usersTable.id }).from(usersTable).where(eq(usersTable.id, wanted[1])).for('update')
  return findStaffMember(tx, ...wanted)
}

/** Returns the account as the tables show it. */
export function toStaffMember(
  me: CurrentUser,
  { id, username, email, role, pages, campaigns: held }: StaffAccount,
): StaffMember {
  const may_change = id !== me.id && hasAllRightsOf(me, { id, role, pages, campaigns: held })
  return { id, username, email, campaigns_count: Object.keys(toVisibleSelection(me, held)).length, may_change }
}

/** Returns ticked keys in the API's format: key to 1. */
export const toSelectionMap = <Key extends string | number>(keys: readonly Key[]) =>
  Object.fromEntries(keys.toSorted().map((key) => [key, 1])) as Record<Key, 1> // every key has an entry

/** Returns the ticked campaigns that the reader may see. */
export const toVisibleSelection = (me: CurrentUser, held: readonly number[]) =>
  toSelectionMap(held.filter((campaign) => me.campaignIds?.includes(campaign) ?? true))

/** Returns whether these are all the campaigns, archived ones excluded. */
export async function includesEveryCampaign(db: DbOrTx, held: readonly number[]): Promise<boolean> {
  const [missing] = await db
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(and(eq(campaignsTable.archived, false), sql`${campaignsTable.id} <> all(${sql.param(held)}::int[])`))
    .limit(1)
  return missing === undefined
}

async function readStaffAccounts(db: DbOrTx, where: SQL | undefined): Promise<StaffAccount[]> {
  const { id, username, email, role, permissions, version } = usersTable
  const rows = await db
    .select({
      ...{ id, username, email, role, permissions, version },
      campaigns: sql<
        number[]
      >`array(select campaign_id from user_campaigns ticked where ticked.user_id = ${usersTable.id} order by 1)`,
    })
    .from(usersTable)
    .where(and(isNull(usersTable.deleted_at), where))
    .orderBy(asc(textOrderSql(usersTable.username)), usersTable.id)
  return rows.map(({ permissions: ticks, ...row }) => ({ ...row, pages: getEffectivePages(row.role, ticks) }))
}

function getEffectivePages(role: UserRole, ticks: PermissionFlag[]): PermissionFlag[] {
  const held = effectivePermissions(role, ticks)
  return ticks.filter((page) => held[page])
}

/** Every admin; super admins only for super admins; leads handlers who share a campaign with the reader or have none yet. */
function buildVisibleStaffFilter(me: CurrentUser, role: StaffRole): SQL | undefined {
  if (me.isSuperAdmin || role === 'admin') return undefined
  if (role === 'super_admin') return sql`false`
  const theirs = inVisibleCampaigns(me, sql`ticked.campaign_id`)
  return sql`(select coalesce(bool_or(${theirs}), true) from ${userCampaignsTable} ticked where ticked.user_id = ${usersTable.id})`
}
