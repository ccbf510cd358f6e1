import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PermissionFlag } from '#contract/allow.ts'
import type { ConflictRow, Endpoint } from '#contract/endpoint.ts'
import type { BeforeJson } from '#contract/instants.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Db, Tx } from '#core/db/db.ts'
import { HttpError, isStale, staleVersionError, validationError } from '#core/http/errors.ts'
import { assertNotNamed, hashNewPassword } from '#core/secrets/passwords.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { getSelectedKeys } from '../contract.ts'
import { userCampaignsTable, usersTable } from '../schema.ts'
import { type AccountChanges, createAccount, updateAccount } from './accounts.ts'
import { assertCanAssign, mergeRights } from './can-assign.ts'
import type { CurrentUser } from './current-user.ts'
import {
  findStaffMember,
  includesEveryCampaign,
  lockStaffMember,
  type StaffAccount,
  type StaffRole,
  toStaffMember,
} from './queries.ts'

type StaffMutationContext = { me: CurrentUser; actor: AuditActor }
type KeySelection<Key extends string> = Partial<Record<Key, 0 | 1>>
export type NewStaffMember = {
  username: string
  email: string
  password_hash: string
  role: StaffRole
  pages: KeySelection<PermissionFlag>
  campaigns: KeySelection<string>
}
type StaffRights = { pages?: KeySelection<PermissionFlag> | undefined; campaigns?: KeySelection<string> | undefined }
type StaffUpdate = StaffMutationContext & {
  db: Db
  params: { id: number }
  body: StaffRights & { password?: string | undefined; version?: number | undefined }
}

/** Creates an admin or a leads handler with the ticked rights; returns their row. */
export async function createStaffMember(tx: Tx, { me, actor }: StaffMutationContext, form: NewStaffMember) {
  const { role, username, email, password_hash } = form
  const pages = getSelectedKeys(form.pages)
  const wanted = await requireKnownCampaigns(tx, getSelectedKeys(form.campaigns).map(Number), me)
  assertCanAssign(me, null, { role, pages, campaigns: wanted })
  const id = await createAccount(tx, actor, { username, email, password_hash, role, permissions: pages })
  await updateCampaignAccess(tx, actor, { id, before: [], after: wanted })
  return toStaffMember(me, await findStaffMember(tx, me, id, role))
}

/** Updates the submitted fields of a person with one of these roles; returns their row. Throws 409 with the newer one for an old version. */
export async function updateStaffMember<E extends Endpoint & Required<Pick<Endpoint, 'conflict'>>>(
  { db, me, params, body: { password, version, ...rights }, actor }: StaffUpdate,
  roles: StaffRole | readonly StaffRole[],
  endpoint: E,
  describe: (tx: Tx, person: StaffAccount) => BeforeJson<ConflictRow<E>> | Promise<BeforeJson<ConflictRow<E>>>,
) {
  const password_hash = password === undefined ? undefined : await hashNewPassword(password)
  return db.transaction(async (tx) => {
    const before = await lockStaffMember(tx, me, params.id, roles)
    if (password !== undefined) assertNotNamed(password, [before.username])
    if (isStale(version, before.version))
      throw staleVersionError(endpoint, 'Someone else has changed this user', await describe(tx, before))
    const pages =
      rights.pages && mergeRights(before.pages, getSelectedKeys(rights.pages), (page) => me.permissions[page])
    const sees = (id: number) => me.campaignIds?.includes(id) ?? true
    const requested = rights.campaigns && getSelectedKeys(rights.campaigns).map(Number)
    const after = requested && mergeRights(before.campaigns, await requireKnownCampaigns(tx, requested, me), sees)
    assertCanAssign(me, before, {
      password: password_hash !== undefined,
      ...(pages && { pages }),
      ...(after && { campaigns: after }),
    })
    if (after && !isSameSet(after, before.campaigns)) await rejectFullAccessChange(tx, me, before)

    const changes: AccountChanges = {
      ...(password_hash === undefined ? {} : { password_hash }),
      ...(pages && !isSameSet(pages, before.pages) ? { permissions: pages } : {}),
    }
    const row = toStaffMember(me, { ...before, pages: pages ?? before.pages, campaigns: after ?? before.campaigns })
    if (Object.keys(changes).length === 0 && (!after || isSameSet(after, before.campaigns))) return row
    await updateAccount(tx, actor, before.id, changes)
    if (after) await updateCampaignAccess(tx, actor, { id: before.id, before: before.campaigns, after })
    await raiseVersion(tx, before.id)
    return row
  })
}

/** Moves a locked person to the other role, dropping pages that it may not hold; returns their row. */
export async function changeStaffRole(
  tx: Tx,
  { me, actor }: StaffMutationContext,
  before: StaffAccount,
  role: 'admin' | 'leads_handler',
  kept: PermissionFlag[],
) {
  assertCanAssign(me, before, { role })
  await updateAccount(tx, actor, before.id, { role, permissions: kept })
  return toStaffMember(me, await findStaffMember(tx, me, before.id, role))
}

/** Only a super admin takes campaigns from a leads handler who has all of them. */
async function rejectFullAccessChange(tx: Tx, me: CurrentUser, { role, campaigns: held }: StaffAccount) {
  if (me.isSuperAdmin || role !== 'leads_handler' || !(await includesEveryCampaign(tx, held))) return
  const line = 'Only a super admin can change a handler who has all campaigns'
  throw new HttpError(403, line, { campaigns: [line] })
}

/** Super admins may grant any campaign, so an unknown id is a validation error; for others it is a forbidden one. */
async function requireKnownCampaigns(tx: Tx, ids: number[], me: CurrentUser): Promise<number[]> {
  if (!me.isSuperAdmin || ids.length === 0) return ids
  const found = await tx.select({ id: campaignsTable.id }).from(campaignsTable).where(inArray(campaignsTable.id, ids))
  if (found.length < ids.length) throw validationError({ campaigns: ['There is no such campaign'] })
  return ids
}

/** Lets a user see a campaign that they have just created. A form with their rights from before is stale now. */
export async function grantCampaignAccess(tx: Tx, actor: AuditActor, id: number, campaignId: number): Promise<void> {
  await raiseVersion(tx, id) // locks the user before their campaigns are read
  const { user_id, campaign_id } = userCampaignsTable
  const held = await tx.select({ campaign_id }).from(userCampaignsTable).where(eq(user_id, id))
  const before = held.map((row) => row.campaign_id)
  await updateCampaignAccess(tx, actor, { id, before, after: [...before, campaignId] })
}

const raiseVersion = (tx: Tx, id: number) =>
  tx
    .update(usersTable)
    .set({ version: sql`${usersTable.version} + 1` })
    .where(eq(usersTable.id, id))

async function updateCampaignAccess(
  tx: Tx,
  actor: AuditActor,
  change: { id: number; before: readonly number[]; after: readonly number[] },
) {
  const { id, before, after } = change
  const gone = before.filter((campaign) => !after.includes(campaign))
  const given = after.filter((campaign) => !before.includes(campaign))
  if (gone.length > 0)
    await tx
      .delete(userCampaignsTable)
      .where(and(eq(userCampaignsTable.user_id, id), inArray(userCampaignsTable.campaign_id, gone)))
  if (given.length > 0)
    await tx
      .insert(userCampaignsTable)
      .values(given.map((campaign_id) => ({ user_id: id, campaign_id })))
      .onConflictDoNothing()
  const inOrder = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)
  await writeAudit(tx, actor, {
    kind: 'user',
    rowId: id,
    before: { campaigns: inOrder(before) },
    after: { campaigns: inOrder(after) },
  })
}

const isSameSet = <T>(one: readonly T[], other: readonly T[]) =>
  one.length === other.length && one.every((item) => other.includes(item))
