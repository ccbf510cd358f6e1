import { and, eq, isNull } from 'drizzle-orm'
import { type Flag, flags, handlerFlags } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import type { Queries } from '#core/db/db.ts'
import { implement } from '#core/http/handle.ts'
import { hashChosen } from '#core/secrets/passwords.ts'
import { admins as contract } from '#domains/access/contract.ts'
import { users } from '#domains/access/schema.ts'
import { closeAccount, unlessTaken } from '#domains/access/server/accounts.ts'
import { canAssign, leaveASuperAdmin, lockSuperAdmins, needAll } from '#domains/access/server/can-assign.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { addPerson, changePerson, movePerson, refuseStale } from '#domains/access/server/mutations.ts'
import {
  findPerson,
  listPeople,
  personToChange,
  type Staff,
  seenTicks,
  ticksOf,
} from '#domains/access/server/queries.ts'

export const adminsCalls = implement(contract, {
  list: async ({ db, me, query }) => {
    const found = await listPeople(db, me, 'admin')
    const rows = me.permissions.admin_pages ? found : found.map(({ id, username }) => ({ id, username }))
    const above = query.with_super_admin ? await superAdmins(db) : []
    return { admins: Object.fromEntries([...rows, ...above].map((row) => [row.id, row])) }
  },

  pages: ({ me }) => flags.filter((id) => mayGive(me, id)).map((id) => ({ id, title: pageTitles[id] })),

  get: async ({ db, me, params }) => {
    const found = await findPerson(db, me, params.id, ['admin', 'super_admin'])
    needAll(me, found)
    return inFull(me, found)
  },

  create: async ({ db, me, body, actor }) => {
    const { password, ...form } = body
    const password_hash = await hashChosen(password)
    return unlessTaken(db.transaction((tx) => addPerson(tx, { me, actor }, { ...form, password_hash, role: 'admin' })))
  },

  update: async ({ db, me, params, body, actor }) => {
    const { password, ...form } = body
    const password_hash = password === undefined ? undefined : await hashChosen(password)
    return db.transaction(async (tx) => {
      const before = await personToChange(tx, me, params.id, ['admin', 'super_admin'])
      refuseStale(before, form.version, () => inFull(me, before))
      return changePerson(tx, { me, actor }, before, { ...form, password_hash })
    })
  },

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const active = await lockSuperAdmins(tx)
      const before = await personToChange(tx, me, params.id, ['admin', 'super_admin'])
      canAssign(me, before, { removed: true })
      if (before.role === 'super_admin') leaveASuperAdmin(active, before.id)
      await closeAccount(tx, actor, before.id)
      return undefined
    }),

  move: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await personToChange(tx, me, params.id, ['admin', 'super_admin'])
      const kept = before.pages.filter((page) => handlerFlags.some((one) => one === page))
      return movePerson(tx, { me, actor }, before, 'leads_handler', kept)
    }),
})

const inFull = (me: Me, { id, username, email, version, pages, campaigns }: Staff) => ({
  admin: { id, username, email, version },
  permissions: ticksOf(pages),
  campaignsPermissions: seenTicks(me, campaigns),
})

/** A page that makes rights is given by super admins only; everybody else gives what they have. */
const mayGive = (me: Me, page: Flag) => me.isSuperAdmin || (page !== 'admin_pages' && me.permissions[page])

const superAdmins = (db: Queries) =>
  db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(eq(users.role, 'super_admin'), isNull(users.deleted_at)))
