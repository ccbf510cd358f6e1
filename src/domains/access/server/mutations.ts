import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Flag } from '#contract/allow.ts'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, invalid, Refusal } from '#core/http/errors.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { ticked } from '../contract.ts'
import { userCampaigns, users } from '../schema.ts'
import { type AccountChanges, changeAccount, openAccount } from './accounts.ts'
import { canAssign, merged } from './can-assign.ts'
import type { Me } from './current-user.ts'
import { asRow, findPerson, isEveryCampaign, type Staff, type StaffRole } from './queries.ts'

type By = { me: Me; actor: Actor }
type Ticks<Key extends string> = Partial<Record<Key, 0 | 1>>
type NewPerson = {
  username: string
  email: string
  password_hash: string
  role: StaffRole
  pages: Ticks<Flag>
  campaigns: Ticks<string>
}
type Changes = {
  password_hash: string | undefined
  pages?: Ticks<Flag> | undefined
  campaigns?: Ticks<string> | undefined
}

/** Makes an admin or a leads handler with what is ticked for them; answers their row. */
export async function addPerson(tx: Tx, { me, actor }: By, form: NewPerson) {
  const { role, username, email, password_hash } = form
  const pages = ticked(form.pages)
  const wanted = await known(tx, ticked(form.campaigns).map(Number), me)
  canAssign(me, null, { role, pages, campaigns: wanted })
  const id = await openAccount(tx, actor, { username, email, password_hash, role, permissions: pages })
  await tick(tx, actor, { id, before: [], after: wanted })
  return asRow(me, await findPerson(tx, me, id, role))
}

/** 409 with the person as they are now, for a form that was opened before somebody else saved theirs. */
export function refuseStale(before: Staff, seen: number | undefined, newer: () => object): void {
  if (seen !== undefined && seen !== before.version)
    throw conflict('Somebody else has changed this user meanwhile', { newer: newer() })
}

/** Changes what was sent of a person who is locked; answers their row. */
export async function changePerson(tx: Tx, { me, actor }: By, before: Staff, form: Changes) {
  const pages = form.pages && merged(before.pages, ticked(form.pages), (page) => me.permissions[page])
  const sees = (id: number) => me.campaignIds?.includes(id) ?? true
  const asked = form.campaigns && ticked(form.campaigns).map(Number)
  const after = asked && merged(before.campaigns, await known(tx, asked, me), sees)
  canAssign(me, before, {
    password: form.password_hash !== undefined,
    ...(pages && { pages }),
    ...(after && { campaigns: after }),
  })
  if (after && !sameSet(after, before.campaigns)) await refuseForThoseWithAll(tx, me, before)

  const changes: AccountChanges = {
    ...(form.password_hash === undefined ? {} : { password_hash: form.password_hash }),
    ...(pages && !sameSet(pages, before.pages) ? { permissions: pages } : {}),
  }
  const row = asRow(me, { ...before, pages: pages ?? before.pages, campaigns: after ?? before.campaigns })
  if (Object.keys(changes).length === 0 && (!after || sameSet(after, before.campaigns))) return row
  await changeAccount(tx, actor, before.id, changes)
  if (after) await tick(tx, actor, { id: before.id, before: before.campaigns, after })
  await tx
    .update(users)
    .set({ version: sql`${users.version} + 1` })
    .where(eq(users.id, before.id))
  return row
}

/** Moves a person who is locked to the other role; ticks that it may not hold are dropped. Answers their row. */
export async function movePerson(
  tx: Tx,
  { me, actor }: By,
  before: Staff,
  role: 'admin' | 'leads_handler',
  kept: Flag[],
) {
  canAssign(me, before, { role })
  await changeAccount(tx, actor, before.id, { role, permissions: kept })
  return asRow(me, await findPerson(tx, me, before.id, role))
}

/** A leads handler who has every campaign keeps them: only a super admin takes some away again. */
async function refuseForThoseWithAll(tx: Tx, me: Me, { role, campaigns: held }: Staff) {
  if (me.isSuperAdmin || role !== 'leads_handler' || !(await isEveryCampaign(tx, held))) return
  const line = 'This leads handler has every campaign: only a super admin changes that'
  throw new Refusal(403, line, { campaigns: [line] })
}

/** For super admins, who may give any campaign, one that does not exist is a wrong entry; others may not give it at all. */
async function known(tx: Tx, ids: number[], me: Me): Promise<number[]> {
  if (!me.isSuperAdmin || ids.length === 0) return ids
  const found = await tx.select({ id: campaigns.id }).from(campaigns).where(inArray(campaigns.id, ids))
  if (found.length < ids.length) throw invalid({ campaigns: ['There is no such campaign'] })
  return ids
}

async function tick(tx: Tx, actor: Actor, change: { id: number; before: readonly number[]; after: readonly number[] }) {
  const { id, before, after } = change
  const gone = before.filter((campaign) => !after.includes(campaign))
  const given = after.filter((campaign) => !before.includes(campaign))
  if (gone.length > 0)
    await tx.delete(userCampaigns).where(and(eq(userCampaigns.user_id, id), inArray(userCampaigns.campaign_id, gone)))
  if (given.length > 0)
    await tx
      .insert(userCampaigns)
      .values(given.map((campaign_id) => ({ user_id: id, campaign_id })))
      .onConflictDoNothing()
  const inOrder = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)
  await record(tx, actor, {
    kind: 'user',
    rowId: id,
    before: { campaigns: inOrder(before) },
    after: { campaigns: inOrder(after) },
  })
}

const sameSet = <T>(one: readonly T[], other: readonly T[]) =>
  one.length === other.length && one.every((item) => other.includes(item))
