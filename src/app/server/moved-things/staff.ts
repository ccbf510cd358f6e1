import { and, eq, isNull } from 'drizzle-orm'
import { handlerFlags, type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import { cutText } from '#contract/cut-text.ts'
import { isObject } from '#contract/is-object.ts'
import { validationError } from '#core/http/errors.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { adminsContract } from '#domains/access/contract.ts'
import { closeAccount } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { createStaffMember } from '#domains/access/server/mutations.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { type KindWriter, type MoveLookup, readFlag, readRecord, readRecords, readText } from '#domains/moves/public.ts'
import { findPersonChange, fitForm } from './fit-form.ts'

type Row = Record<string, unknown>

/** The ticked keys of a map, a list of ids, or a list of objects with an id. */
function readTicks(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => (isObject(one) ? (readText(one, 'id') ?? []) : String(one)))
  return isObject(value) ? Object.keys(value).filter((key) => readFlag(value, key)) : []
}

/** The pages and campaigns of an account, as its own call has them. */
function readRights(payload: Row, lookup: MoveLookup, grantable: readonly PermissionFlag[]) {
  const details = readRecord(payload, 'details') ?? {}
  const holder = readRecord(details, 'data') ?? details
  const person = readRecord(holder, 'admin') ?? readRecord(holder, 'user') ?? holder
  const ticked = (...names: string[]) => {
    for (const row of [holder, person])
      for (const name of names) if (row[name] !== undefined) return readTicks(row[name])
    return []
  }
  const all = ticked('permissions', 'pages')
  const pages = all.filter((page) => (grantable as readonly string[]).includes(page))
  const unknown = all.filter((page) => !pages.includes(page))
  const campaigns = ticked('campaignsPermissions', 'campaigns').flatMap((id) => lookup.find('campaign', id) ?? [])
  return {
    pages: Object.fromEntries(pages.map((page) => [page, 1 as const])),
    campaigns: Object.fromEntries(campaigns.map((id) => [id, 1 as const])),
    kept: unknown.length > 0 ? `Pages that are not known here: ${cutText(unknown.join(', '), 200)}` : undefined,
  }
}

/** The choice of columns by view, of the person whose token it is; without a view it is that of leads. */
function readHiddenColumns(payload: Row): Record<string, string[]> | null {
  const views = readRecords(payload, 'hidden_columns').flatMap((one): [string, string[]][] => {
    const columns = one.hidden_columns
    const names = Array.isArray(columns)
      ? columns.filter((name) => typeof name === 'string' && /^[\w.]{1,60}$/.test(name))
      : []
    return [[readText(one, 'view') ?? 'leads.list', names.slice(0, 100)]]
  })
  return views.length > 0 ? Object.fromEntries(views) : null
}

const defineStaffWriter = (role: 'admin' | 'leads_handler'): KindWriter => ({
  write: async (tx, by, { payload }, lookup) => {
    const [username, email] = [readText(payload, 'username'), readText(payload, 'email')]
    if (username === null || email === null) throw validationError({ username: ['Username or email is missing'] })
    const { form } = fitForm(adminsContract.create.body, { username, email, invite: 1 }, ['username', 'email'])
    const { kept, ...rights } = readRights(payload, lookup, role === 'admin' ? permissionFlags : handlerFlags)
    const made = await createStaffMember(tx, by, {
      ...{ username: form.username, email: form.email, role, password_hash: notArrivedHash },
      ...rights,
    })
    const hidden_columns = readHiddenColumns(payload)
    if (hidden_columns) await tx.update(usersTable).set({ hidden_columns }).where(eq(usersTable.id, made.id))
    return { id: made.id, kept }
  },

  remove: async (tx, { actor }, id) => {
    const [person] = await tx.select().from(usersTable).where(eq(usersTable.id, id)).for('update')
    if (!person || person.deleted_at) return null
    if (person.password_hash !== notArrivedHash) return 'has accepted the invitation'
    const changed = await findPersonChange(tx, 'user', id)
    if (changed) return changed
    const isTheirs = and(eq(activityItemsTable.assignee_id, id), isNull(activityItemsTable.deleted_at))
    const tasks = await tx.$count(activityItemsTable, isTheirs)
    if (tasks > 0) return 'has tasks now'
    await closeAccount(tx, actor, id)
    return null
  },
})

export const movedAdmin = defineStaffWriter('admin')
export const movedLeadsHandler = defineStaffWriter('leads_handler')
