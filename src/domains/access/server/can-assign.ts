import { and, eq, isNull } from 'drizzle-orm'
import type { Flag } from '#contract/allow.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, type FieldErrors, Refusal } from '#core/http/errors.ts'
import { type Role, users } from '../schema.ts'
import type { Me } from './current-user.ts'

/** Somebody whose rights are given or taken: what they hold now, what their role may not hold left out. */
export type Holder = { id: number; role: Role; pages: readonly Flag[]; campaigns: readonly number[] }
/** What is wanted of them; a list is all that they are to hold afterwards. */
export type Assignment = {
  role?: Role
  pages?: readonly Flag[]
  campaigns?: readonly number[]
  password?: boolean
  removed?: boolean
}

/**
 * The one place that says whose rights may be changed by whom. Throws 403, before anything is written; `holder` is null for
 * somebody who is being made. A customer holds the campaigns of their client and nothing that is ticked.
 */
export function canAssign(actor: Me, holder: Holder | null, wanted: Assignment): void {
  if (holder?.id === actor.id) throw refused('Nobody changes their own rights: somebody else must do it')
  if (wanted.role === 'super_admin' || (holder?.role === 'super_admin' && wanted.role))
    throw refused('Super admins are made and demoted on the server only')
  if (actor.isSuperAdmin) return
  if (holder?.role === 'super_admin') throw refused(beyond)
  // A leads handler's ticks are merged, so that what the editor lacks stays; everything else needs all that they hold.
  const onlyTicks = !wanted.password && !wanted.removed && !wanted.role
  if (holder && !(holder.role === 'leads_handler' && onlyTicks) && !dominates(actor, holder))
    throw refused(holder.role === 'customer' ? othersToo : beyond)
  const errors: FieldErrors = {}
  const given = (wanted.pages ?? []).filter((page) => !holder?.pages.includes(page))
  if (given.includes('admin_pages')) errors.pages = ['Only a super admin gives the page that gives pages']
  else if (given.some((page) => !actor.permissions[page]))
    errors.pages = ['You cannot give a page that you do not have']
  const campaigns = (wanted.campaigns ?? []).filter((id) => !holder?.campaigns.includes(id))
  if (campaigns.some((id) => !actor.campaignIds?.includes(id)))
    errors.campaigns = ['You cannot give a campaign that you do not have']
  if (Object.keys(errors).length > 0) throw refused(Object.values(errors).flat().join('. '), errors)
}

const othersToo = 'This client has campaigns that are not yours: only who has them all may change it'
const beyond = 'This person has rights that you do not have'
const refused = (line: string, errors?: FieldErrors) => new Refusal(403, line, errors)

/** 403 for whoever holds less than somebody whose rights they want to read. */
export function needAll(me: Me, holder: Holder): void {
  if (!dominates(me, holder)) throw refused(beyond)
}

/** Whether they hold everything that the other one holds: otherwise a new password would lend them the rest. */
export function dominates(me: Me, { role, pages, campaigns }: Holder): boolean {
  if (me.isSuperAdmin) return true
  if (role === 'super_admin') return false
  const isTicked = role !== 'customer'
  return (
    (!isTicked || pages.every((page) => me.permissions[page])) && campaigns.every((id) => me.campaignIds?.includes(id))
  )
}

/** What was submitted, over what was there: what the editor does not see stays. */
export const merged = <Right>(
  before: readonly Right[],
  submitted: readonly Right[],
  sees: (right: Right) => boolean,
) => [...new Set([...before.filter((right) => !sees(right)), ...submitted])]

/** Locks every active super admin, in one order for all, and answers their ids: the first thing that a removal does. */
export async function lockSuperAdmins(tx: Tx): Promise<number[]> {
  const active = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'super_admin'), users.is_active, isNull(users.deleted_at)))
    .orderBy(users.id)
    .for('update')
  return active.map(({ id }) => id)
}

/** Of several removals at once the last one finds itself alone. */
export function leaveASuperAdmin(active: readonly number[], id: number): void {
  if (active.every((one) => one === id)) throw conflict('This is the last active super admin; make another one first')
}
