import { and, eq, isNull } from 'drizzle-orm'
import { handlerFlags, type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { adminsContract } from '#domains/access/contract.ts'
import { addStaffMember } from '#domains/access/password-reset/server/add-staff-member.ts'
import { usersTable } from '#domains/access/schema.ts'
import { closeAccount, mapNameConflict } from '#domains/access/server/accounts.ts'
import {
  assertCanAssign,
  assertHasAllRights,
  assertSuperAdminRemains,
  lockSuperAdmins,
} from '#domains/access/server/can-assign.ts'
import type { CurrentUser } from '#domains/access/server/current-user.ts'
import { changeStaffRole, updateStaffMember } from '#domains/access/server/mutations.ts'
import {
  findStaffMember,
  lockStaffMember,
  readStaffMembers,
  type StaffAccount,
  toSelectionMap,
  toVisibleSelection,
} from '#domains/access/server/queries.ts'
import { implementContract } from '#domains/app-context.ts'

const adminRoles = ['admin', 'super_admin'] as const

export const adminsHandlers = implementContract(adminsContract, {
  list: async ({ db, me, query }) => {
    const found = await readStaffMembers(db, me, 'admin')
    const rows = me.permissions.admin_pages ? found : found.map(({ id, username }) => ({ id, username }))
    const above = query.with_super_admin ? await readSuperAdmins(db) : []
    return { admins: Object.fromEntries([...rows, ...above].map((row) => [row.id, row])) }
  },

  pages: ({ me }) => permissionFlags.filter((id) => canGrantPage(me, id)).map((id) => ({ id, title: pageTitles[id] })),

  get: async ({ db, me, params }) => {
    const found = await findStaffMember(db, me, params.id, adminRoles)
    assertHasAllRights(me, found)
    return toAdminDetails(me, found)
  },

  create: ({ db, body, ...by }) => mapNameConflict(addStaffMember(db, by, { ...body, role: 'admin' })),

  update: (call) =>
    updateStaffMember(call, adminRoles, adminsContract.update, (_, newer) => toAdminDetails(call.me, newer)),

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const active = await lockSuperAdmins(tx)
      const before = await lockStaffMember(tx, me, params.id, adminRoles)
      assertCanAssign(me, before, { removed: true })
      if (before.role === 'super_admin') assertSuperAdminRemains(active, before.id)
      await closeAccount(tx, actor, before.id)
    }),

  move: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await lockStaffMember(tx, me, params.id, adminRoles)
      const kept = before.pages.filter((page) => handlerFlags.some((one) => one === page))
      return changeStaffRole(tx, { me, actor }, before, 'leads_handler', kept)
    }),
})

const toAdminDetails = (me: CurrentUser, { id, username, email, version, pages, campaigns }: StaffAccount) => ({
  admin: { id, username, email, version },
  permissions: toSelectionMap(pages),
  campaignsPermissions: toVisibleSelection(me, campaigns),
})

/** Only super admins grant the page that manages rights; everyone else grants the pages they hold. */
const canGrantPage = (me: CurrentUser, page: PermissionFlag) =>
  me.isSuperAdmin || (page !== 'admin_pages' && me.permissions[page])

const readSuperAdmins = (db: DbOrTx) =>
  db
    .select({ id: usersTable.id, username: usersTable.username })
    .from(usersTable)
    .where(and(eq(usersTable.role, 'super_admin'), isNull(usersTable.deleted_at)))
