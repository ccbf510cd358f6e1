import { and, eq, isNull } from 'drizzle-orm'
import { type AccessSubject, type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, type FieldErrors, HttpError } from '#core/http/errors.ts'
import { type UserRole, usersTable } from '../schema.ts'

/** Who gives or takes rights: a `CurrentUser`, as far as it matters here. */
type RightsActor = AccessSubject & { id: number; campaignIds: readonly number[] | null }
/** Somebody whose rights are given or taken: what they hold now, what their role may not hold left out. */
export type RightsHolder = {
  id: number
  role: UserRole
  pages: readonly PermissionFlag[]
  campaigns: readonly number[]
}
/** What is wanted of them; a list is all that they are to hold afterwards. */
export type RightsAssignment = {
  role?: UserRole
  pages?: readonly PermissionFlag[]
  campaigns?: readonly number[]
  password?: boolean
  removed?: boolean
}

/**
 * The one place that says whose rights may be changed by whom. Throws 403, before anything is written; `holder` is null for
 * somebody who is being made. A customer holds the campaigns of their client and nothing that is ticked.
 */
export function assertCanAssign(actor: RightsActor, holder: RightsHolder | null, wanted: RightsAssignment): void {
  if (holder?.id === actor.id) throw rightsError('Nobody changes their own rights: somebody else must do it')
  if (wanted.role === 'super_admin' || (holder?.role === 'super_admin' && wanted.role))
    throw rightsError('Super admins are made and demoted on the server only')
  if (actor.isSuperAdmin) return
  if (holder?.role === 'super_admin') throw rightsError(exceedsRightsMessage)
  // A leads handler's ticks are merged, so that what the editor lacks stays; everything else needs all that they hold.
  const onlyTicks = !wanted.password && !wanted.removed && !wanted.role
  if (holder && !(holder.role === 'leads_handler' && onlyTicks) && !hasAllRightsOf(actor, holder))
    throw rightsError(holder.role === 'customer' ? missingCampaignsMessage : exceedsRightsMessage)
  const errors: FieldErrors = {}
  const given = (wanted.pages ?? []).filter((page) => !holder?.pages.includes(page))
  if (given.includes('admin_pages')) errors.pages = ['Only a super admin gives the page that gives pages']
  else if (given.some((page) => !actor.permissions[page]))
    errors.pages = ['You cannot give a page that you do not have']
  const campaigns = (wanted.campaigns ?? []).filter((id) => !holder?.campaigns.includes(id))
  if (campaigns.some((id) => !actor.campaignIds?.includes(id)))
    errors.campaigns = ['You cannot give a campaign that you do not have']
  if (Object.keys(errors).length > 0) throw rightsError(Object.values(errors).flat().join('. '), errors)
}

const missingCampaignsMessage = 'This client has campaigns that are not yours: only who has them all may change it'
const exceedsRightsMessage = 'This person has rights that you do not have'
const rightsError = (line: string, errors?: FieldErrors) => new HttpError(403, line, errors)

/** 403 for whoever holds less than somebody whose rights they want to read. */
export function assertHasAllRights(me: RightsActor, holder: RightsHolder): void {
  if (!hasAllRightsOf(me, holder)) throw rightsError(exceedsRightsMessage)
}

/** Whether they hold everything that the other one holds: otherwise a new password would lend them the rest. */
export function hasAllRightsOf(me: RightsActor, { role, pages, campaigns }: RightsHolder): boolean {
  if (me.isSuperAdmin) return true
  if (role === 'super_admin') return false
  const isTicked = role !== 'customer'
  return (
    (!isTicked || pages.every((page) => me.permissions[page])) && campaigns.every((id) => me.campaignIds?.includes(id))
  )
}

/**
 * Whether they may look at the product as the other person does: with the page that keeps the other's account, and all that the
 * other one holds.
 */
export function canSeeAs(viewer: RightsActor, seen: RightsActor & { role: UserRole }): boolean {
  const { id, role, permissions, campaignIds } = seen
  if (!viewer.isAdmin || !viewer.permissions[accountPages[role]] || viewer.id === id) return false
  const pages = permissionFlags.filter((page) => permissions[page])
  return hasAllRightsOf(viewer, { id, role, pages, campaigns: campaignIds ?? [] })
}

/** The page on which accounts of a role are kept. */
const accountPages: Record<UserRole, PermissionFlag> = {
  super_admin: 'admin_pages',
  admin: 'admin_pages',
  leads_handler: 'leads_handlers',
  customer: 'clients',
}

/** What was submitted, over what was there: what the editor does not see stays. */
export const mergeRights = <Right>(
  before: readonly Right[],
  submitted: readonly Right[],
  sees: (right: Right) => boolean,
) => [...new Set([...before.filter((right) => !sees(right)), ...submitted])]

/** Locks every active super admin, in one order for all, and answers their ids: the first thing that a removal does. */
export async function lockSuperAdmins(tx: Tx): Promise<number[]> {
  const active = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.role, 'super_admin'), usersTable.is_active, isNull(usersTable.deleted_at)))
    .orderBy(usersTable.id)
    .for('update')
  return active.map(({ id }) => id)
}

/** Of several removals at once the last one finds itself alone. */
export function assertSuperAdminRemains(active: readonly number[], id: number): void {
  if (active.every((one) => one === id))
    throw conflictError('This is the last active super admin; make another one first')
}
