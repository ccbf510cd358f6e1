import { inArray } from 'drizzle-orm'
import { handlerFlags, type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import { foldText } from '#contract/fold-text.ts'
import { pageTitles } from '#contract/pages.ts'
import { reauthenticationError } from '#core/http/errors.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { adminsContract } from '#domains/access/contract.ts'
import { assertMailerConnected, queueInvitation } from '#domains/access/password-reset/server/password-links.ts'
import { closeAccount } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { isNamed, isNamedAlike } from '#domains/access/server/account-names.ts'
import { createStaffMember } from '#domains/access/server/mutations.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import {
  findByName,
  getFilledCell,
  type ImportDefinition,
  type ImportField,
  isSameName,
  type LineProblem,
  parseIsActive,
  splitValues,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'

type StaffRow = { username: string; email: string; pages: PermissionFlag[]; campaigns: number[] }

const statusHint = 'Active or Deactivated; only active people are invited'
const listHint = 'Names, with semicolons between'
const fields: ImportField[] = [
  { name: 'username', label: 'Username', required: true, also: ['name', 'user', 'nickname'] },
  { name: 'email', label: 'Email', required: true, also: ['email address', 'mail'] },
  { name: 'pages', label: 'Pages', also: ['permissions', 'access'], about: listHint },
  { name: 'campaigns', label: 'Campaigns', also: ['campaign'], about: listHint },
  { name: 'status', label: 'Status', also: ['active', 'is active', 'account status', 'state'], about: statusHint },
]
const namedCampaign = { id: campaignsTable.id, name: campaignsTable.name }

/** The import of admins or of leads handlers. Each is invited to choose a password; it is in `app` because it needs accounts and campaigns. */
function defineStaffImport(role: 'admin' | 'leads_handler'): ImportDefinition<StaffRow> {
  const grantable: readonly PermissionFlag[] = role === 'admin' ? permissionFlags : handlerFlags
  return {
    atOnce: 50,
    fields,
    assertRunnable: async (tx, me, context) => {
      if (me.isProofOld) throw reauthenticationError()
      await assertMailerConnected(context, tx)
    },

    open: async ({ db }) => {
      const all = await db.select(namedCampaign).from(campaignsTable)
      return (cells) => {
        const { username, email } = cells
        const parsed = adminsContract.create.body.safeParse({ username, email, invite: 1 })
        const wrong: LineProblem[] = parsed.success ? [] : toCellProblems(parsed.error)
        const isActive = parseIsActive(getFilledCell(cells, 'status'))
        if (isActive === undefined) wrong.push({ field: 'status', says: 'Please say Active or Deactivated' })
        if (isActive === false) wrong.push({ field: 'status', says: 'Not active, so not invited' })
        const pages = splitValues(getFilledCell(cells, 'pages'), /[;|]/).flatMap((wanted) => {
          const page = grantable.find((flag) => flag === wanted || isSameName(pageTitles[flag], wanted))
          if (!page) wrong.push({ field: 'pages', says: `There is no page ${wanted} to give` })
          return page ?? []
        })
        const campaigns = splitValues(getFilledCell(cells, 'campaigns'), /[;|]/).flatMap((wanted) => {
          const found = findByName('campaign', wanted, all, ({ name }) => isSameName(name, wanted))
          if (typeof found === 'string') wrong.push({ field: 'campaigns', says: found })
          return typeof found === 'string' ? [] : found.id
        })
        if (!parsed.success || wrong.length > 0) return { wrong }
        const { username: name, email: address } = parsed.data
        return {
          row: { username: name, email: address, pages, campaigns },
          names: [foldText(name), foldText(address)],
        }
      }
    },

    there: async (db, rows) => {
      const outcomes: ('fresh' | 'known' | LineProblem[])[] = []
      for (const { username, email } of rows) {
        const found = await db.select().from(usersTable).where(isNamedAlike(username))
        const isSame = found.some(
          (user) => user.role === role && user.email.toLowerCase() === email.toLowerCase() && user.username !== email,
        )
        const [other] = isSame ? [] : [...found, ...(await db.select().from(usersTable).where(isNamed(email)))]
        const taken = other && foldText(other.username) === foldText(username) ? 'username' : 'email'
        const says = taken === 'username' ? 'This name is taken' : 'This email is taken'
        outcomes.push(isSame ? 'known' : other ? [{ field: taken, says }] : 'fresh')
      }
      return outcomes
    },

    write: (tx, by, rows) =>
      writeEach(tx, rows, async (inner, { username, email, pages, campaigns }) => {
        const form = {
          ...{ username, email, role, password_hash: notArrivedHash },
          pages: Object.fromEntries(pages.map((page) => [page, 1 as const])),
          campaigns: Object.fromEntries(campaigns.map((id) => [id, 1 as const])),
        }
        const made = await createStaffMember(inner, by, form)
        await queueInvitation(inner, by.context, by.actor, made)
        return made.id
      }),

    remove: async (tx, { actor }, ids, findUses) => {
      const people = await tx
        .select()
        .from(usersTable)
        .where(inArray(usersTable.id, ids))
        .orderBy(usersTable.id)
        .for('update')
      const changed = people.filter((person) => person.version > 1 || person.role !== role)
      const arrived = people.filter(({ password_hash }) => password_hash !== notArrivedHash)
      const kept = new Map([
        ...(await findUses()),
        ...changed.map(({ id }) => [id, 'Someone has changed this account since'] as const),
        ...arrived.map(({ id }) => [id, 'Has accepted the invitation'] as const),
      ])
      for (const { id, deleted_at } of people)
        if (!kept.has(id) && deleted_at === null) await closeAccount(tx, actor, id)
      return kept
    },
  }
}

export const staffImports = { admins: defineStaffImport('admin'), 'leads-handlers': defineStaffImport('leads_handler') }
