import { handlerFlags } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import type { Queries } from '#core/db/db.ts'
import { implement } from '#core/http/handle.ts'
import { hashChosen } from '#core/secrets/passwords.ts'
import { handlers as contract } from '#domains/access/contract.ts'
import { closeAccount, unlessTaken } from '#domains/access/server/accounts.ts'
import { canAssign } from '#domains/access/server/can-assign.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { addPerson, changePerson, movePerson, refuseStale } from '#domains/access/server/mutations.ts'
import {
  findPerson,
  isEveryCampaign,
  listPeople,
  personToChange,
  type Staff,
  seenTicks,
  ticksOf,
} from '#domains/access/server/queries.ts'

const role = 'leads_handler'

export const handlersCalls = implement(contract, {
  list: async ({ db, me }) => ({ users: await listPeople(db, me, role) }),

  pages: () => handlerFlags.map((id) => ({ id, title: pageTitles[id] })),

  get: async ({ db, me, params }) => inFull(db, me, await findPerson(db, me, params.id, role)),

  create: async ({ db, me, body, actor }) => {
    const { password, ...form } = body
    const password_hash = await hashChosen(password)
    return unlessTaken(db.transaction((tx) => addPerson(tx, { me, actor }, { ...form, password_hash, role })))
  },

  update: async ({ db, me, params, body, actor }) => {
    const { password, ...form } = body
    const password_hash = password === undefined ? undefined : await hashChosen(password)
    return db.transaction(async (tx) => {
      const before = await personToChange(tx, me, params.id, role)
      const now = await inFull(tx, me, before)
      refuseStale(before, form.version, () => now)
      return changePerson(tx, { me, actor }, before, { ...form, password_hash })
    })
  },

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await personToChange(tx, me, params.id, role)
      canAssign(me, before, { removed: true })
      await closeAccount(tx, actor, before.id)
      return undefined
    }),

  move: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const before = await personToChange(tx, me, params.id, role)
      return movePerson(tx, { me, actor }, before, 'admin', [...before.pages])
    }),
})

const inFull = async (db: Queries, me: Me, { id, username, email, version, pages, campaigns }: Staff) => ({
  ...{ id, username, email, version },
  pages: ticksOf(pages),
  campaigns: seenTicks(me, campaigns),
  has_every_campaign: await isEveryCampaign(db, campaigns),
})
