import { handlerFlags } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { leadsHandlersContract } from '#domains/access/contract.ts'
import { addStaffMember } from '#domains/access/password-reset/server/add-staff-member.ts'
import { closeAccount, mapNameConflict } from '#domains/access/server/accounts.ts'
import { assertCanAssign } from '#domains/access/server/can-assign.ts'
import type { CurrentUser } from '#domains/access/server/current-user.ts'
import { changeStaffRole, updateStaffMember } from '#domains/access/server/mutations.ts'
import {
  findStaffMember,
  includesEveryCampaign,
  lockStaffMember,
  readStaffMembers,
  type StaffAccount,
  toSelectionMap,
  toVisibleSelection,
} from '#domains/access/server/queries.ts'
import { implementContract } from '#domains/app-context.ts'

const handlerRole = 'leads_handler'

export const leadsHandlerAccessHandlers = implementContract(leadsHandlersContract, {
  list: async ({ db, me }) => ({ users: await readStaffMembers(db, me, handlerRole) }),

  pages: () => handlerFlags.map((id) => ({ id, title: pageTitles[id] })),

  get: async ({ db, me, params }) => readHandlerDetails(db, me, await findStaffMember(db, me, params.id, handlerRole)),

  create: ({ db, body, ...by }) => mapNameConflict(addStaffMember(db, by, { ...body, role: handlerRole })),

  update: (call) =>
    updateStaffMember(call, handlerRole, leadsHandlersContract.update, (tx, newer) =>
      readHandlerDetails(tx, call.me, newer),
    ),

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await lockStaffMember(tx, me, params.id, handlerRole)
      assertCanAssign(me, before, { removed: true })
      await closeAccount(tx, actor, before.id)
    }),

  move: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await lockStaffMember(tx, me, params.id, handlerRole)
      return changeStaffRole(tx, { me, actor }, before, 'admin', [...before.pages])
    }),
})

const readHandlerDetails = async (
  db: DbOrTx,
  me: CurrentUser,
  { id, username, email, version, pages, campaigns }: StaffAccount,
) => ({
  ...{ id, username, email, version },
  pages: toSelectionMap(pages),
  campaigns: toVisibleSelection(me, campaigns),
  has_every_campaign: await includesEveryCampaign(db, campaigns),
})
