import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Flag } from '#contract/allow.ts'
import type { Queries, Tx } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import type { Person } from '../contract.ts'
import { type Role, userCampaigns, users } from '../schema.ts'
import { dominates, type Holder } from './can-assign.ts'
import { effectivePermissions, type Me } from './current-user.ts'
import { inTheirCampaigns } from './row-scope.ts'

/** Admins and leads handlers, each read by the page that keeps them: an id of the other kind is no one here. */

export type StaffRole = Exclude<Role, 'customer'>
export type Staff = Holder & { username: string; email: string; version: number }

/** Those of the role that this person may see, by name. */
export async function listPeople(db: Queries, me: Me, role: StaffRole): Promise<Person[]> {
  const found = await staff(db, and(eq(users.role, role), visible(me, role)))
  return found.map((one) => asRow(me, one))
}

/** One of them, 404 for anybody else. */
export async function findPerson(
  db: Queries,
  me: Me,
  id: number,
  role: StaffRole | readonly StaffRole[],
): Promise<Staff> {
  const roles = typeof role === 'string' ? [role] : role
  const wanted = or(...roles.map((one) => and(eq(users.role, one), visible(me, one))))
  const [found] = await staff(db, and(eq(users.id, id), wanted))
  if (!found) throw notFound()
  return found
}

/** Locks the row first: what is then read of it stays so until the change is done. */
export async function personToChange(tx: Tx, ...wanted: [me: Me, id: number, role: StaffRole | readonly StaffRole[]]) {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, wanted[1])).for('update')
  return findPerson(tx, ...wanted)
}

/** A row as the tables show it. */
export function asRow(me: Me, { id, username, email, role, pages, campaigns: held }: Staff): Person {
  const may_change = id !== me.id && dominates(me, { id, role, pages, campaigns: held })
  return { id, username, email, campaigns_count: Object.keys(seenTicks(me, held)).length, may_change }
}

/** The wire's way to say what is ticked. */
export const ticksOf = <Key extends string | number>(keys: readonly Key[]) =>
  Object.fromEntries(keys.toSorted().map((key) => [key, 1])) as Record<Key, 1> // each key is in there

/** Of the campaigns ticked for somebody, those that the reader sees. */
export const seenTicks = (me: Me, held: readonly number[]) =>
  ticksOf(held.filter((campaign) => me.campaignIds?.includes(campaign) ?? true))

/** Whether these are all the campaigns there are, the archived ones left out. */
export async function isEveryCampaign(db: Queries, held: readonly number[]): Promise<boolean> {
  const [missing] = await db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.archived, false), sql`${campaigns.id} <> all(${sql.param(held)}::int[])`))
    .limit(1)
  return missing === undefined
}

async function staff(db: Queries, where: SQL | undefined): Promise<Staff[]> {
  const { id, username, email, role, permissions, version } = users
  const rows = await db
    .select({
      ...{ id, username, email, role, permissions, version },
      campaigns: sql<
        number[]
      >`array(select campaign_id from user_campaigns ticked where ticked.user_id = ${users.id} order by 1)`,
    })
    .from(users)
    .where(and(isNull(users.deleted_at), where))
    .orderBy(asc(sql`lower(${users.username})`), users.id)
  return rows.map(({ permissions: ticks, ...row }) => ({ ...row, pages: effectivePages(row.role, ticks) }))
}

function effectivePages(role: Role, ticks: Flag[]): Flag[] {
  const held = effectivePermissions(role, ticks)
  return ticks.filter((page) => held[page])
}

/** Every admin; super admins for their like; leads handlers who share a campaign with the reader, or have none yet. */
function visible(me: Me, role: StaffRole): SQL | undefined {
  if (me.isSuperAdmin || role === 'admin') return undefined
  if (role === 'super_admin') return sql`false`
  const theirs = inTheirCampaigns(me, sql`ticked.campaign_id`)
  return sql`(select coalesce(bool_or(${theirs}), true) from ${userCampaigns} ticked where ticked.user_id = ${users.id})`
}
