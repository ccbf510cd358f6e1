import { and, eq, isNull } from 'drizzle-orm'
import { type AccessSubject, type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, type FieldErrors, HttpError } from '#core/http/errors.ts'
import { type UserRole, usersTable } from '../schema.ts'

/** Who grants or revokes rights: the relevant part of a `CurrentUser`. */
type RightsActor = AccessSubject & { id: number; campaignIds: readonly number[] | null }
/** Whose rights change: what they hold now, without pages that their role may not hold. */
export type RightsHolder = {
  id: number
  role: UserRole
  pages: readonly PermissionFlag[]
  campaigns: readonly number[]
}
/** The requested change; a list is everything that they hold afterward. */
type RightsAssignment = {
  role?: UserRole
  pages?: readonly PermissionFlag[]
  campaigns?: readonly number[]
  password?: boolean
  removed?: boolean
}

/**
 * The one place that decides who may change whose rights. Throws 403 before anything is written; `holder` is null for a
 * new account. A customer holds their client's campaigns and no pages.
 */
export function assertCanAssign(actor: RightsActor, holder: RightsHolder | null, wanted: RightsAssignment): void {
  if (holder?.id === actor.id) throw rightsError('You cannot change your own rights: someone else must do it')
  if (wanted.role === 'super_admin' || (holder?.role === 'super_admin' && wanted.role))
    throw rightsError('Super admins are created and demoted on the server only')
  if (actor.isSuperAdmin) return
  if (holder?.role === 'super_admin') throw rightsError(exceedsRightsMessage)
  // A leads handler's ticks are merged, so rights that the editor lacks stay. Every other change requires all of the holder's rights.
  const onlyTicks = !wanted.password && !wanted.removed && !wanted.role
  if (holder && !(holder.role === 'leads_handler' && onlyTicks) && !hasAllRightsOf(actor, holder))
    throw rightsError(holder.role === 'customer' ? missingCampaignsMessage : exceedsRightsMessage)
  const errors: FieldErrors = {}
  const given = (wanted.pages ?? []).filter((page) => !holder?.pages.includes(page))
  if (given.includes('admin_pages')) errors.pages = ['Only a super admin can grant the page that grants pages']
  else if (given.some((page) => !actor.permissions[page]))
    errors.pages = ['You cannot grant a page that you do not have']
  const campaigns = (wanted.campaigns ?? []).filter((id) => !holder?.campaigns.includes(id))
  if (!campaigns.every((id) => holdsCampaign(actor, id)))
    errors.campaigns = ['You cannot grant a campaign that you do not have']
  if (Object.keys(errors).length > 0) throw rightsError(Object.values(errors).flat().join('. '), errors)
}

const missingCampaignsMessage =
  'This client has campaigns that are not yours: only users who have them all may change it'
const exceedsRightsMessage = 'This person has rights that you do not have'
const rightsError = (line: string, errors?: FieldErrors) => new HttpError(403, line, errors)

/** Throws 403 if the reader holds less than the account whose rights they want to read. */
export function assertHasAllRights(me: RightsActor, holder: RightsHolder): void {
  if (!hasAllRightsOf(me, holder)) throw rightsError(exceedsRightsMessage)
}

/** Returns whether `me` holds every right of the other account. Without that, setting its password would be privilege escalation. */
export function hasAllRightsOf(me: RightsActor, { role, pages, campaigns }: RightsHolder): boolean {
  if (me.isSuperAdmin) return true
  if (role === 'super_admin') return false
  const isTicked = role !== 'customer'
  return (!isTicked || pages.every((page) => me.permissions[page])) && campaigns.every((id) => holdsCampaign(me, id))
}

/** A super admin’s key has all campaigns, but is no super admin. */
const holdsCampaign = ({ campaignIds }: RightsActor, id: number) => campaignIds?.includes(id) ?? true

/**
 * Returns whether the viewer may view the product as the other person: this takes the page that manages the account,
 * and all of its rights.
 */
export function canSeeAs(viewer: RightsActor, seen: RightsActor & { role: UserRole }): boolean {
  if (!viewer.isAdmin || !viewer.permissions[accountPages[seen.role]] || viewer.id === seen.id) return false
  return hasAllRightsOf(viewer, toRightsHolder(seen))
}

export const toRightsHolder = ({
  id,
  role,
  permissions,
  campaignIds,
}: RightsActor & { role: UserRole }): RightsHolder => ({
  ...{ id, role },
  pages: permissionFlags.filter((page) => permissions[page]),
  campaigns: campaignIds ?? [],
})

/**
 * Returns whether a person is in a list that this one may open. Any call about someone else is a 404, as about no one: the
 * difference would tell which accounts exist.
 */
export function isListedFor(me: RightsActor, { id, role, campaignIds }: RightsActor & { role: UserRole }): boolean {
  if (me.isSuperAdmin || me.id === id) return true
  if (!me.isAdmin) return false
  if (role === 'admin' || role === 'super_admin')
    return me.permissions.admin_pages || me.permissions.activityLog || me.permissions.changelog
  const sharesCampaign = !campaignIds?.length || campaignIds.some((campaign) => holdsCampaign(me, campaign))
  return me.permissions[accountPages[role]] && sharesCampaign
}

/** The page that manages the accounts of a role. */
const accountPages: Record<UserRole, PermissionFlag> = {
  super_admin: 'admin_pages',
  admin: 'admin_pages',
  leads_handler: 'leads_handlers',
  customer: 'clients',
}

/** Merges submitted rights into existing ones: rights that the editor does not see stay. */
export const mergeRights = <Right>(
  before: readonly Right[],
  submitted: readonly Right[],
  sees: (right: Right) => boolean,
) => [...new Set([...before.filter((right) => !sees(right)), ...submitted])]

/** Locks every active super admin, always in the same order, and returns their ids. Every removal starts with it. */
export async function lockSuperAdmins(tx: Tx): Promise<number[]> {
  const active = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.role, 'super_admin'), usersTable.is_active, isNull(usersTable.deleted_at)))
    .orderBy(usersTable.id)
    .for('update')
  return active.map(({ id }) => id)
}

/** Throws 409 for the last active super admin. The locks make concurrent removals see each other. */
export function assertSuperAdminRemains(active: readonly number[], id: number): void {
  if (active.every((one) => one === id))
    throw conflictError('This is the last active super admin; create another one first')
}
