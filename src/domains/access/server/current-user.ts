import { eq, type SQL, sql } from 'drizzle-orm'
import {
  type AccessSubject,
  customerFlags,
  handlerFlags,
  type PermissionFlag,
  type Permissions,
  permissionFlags,
} from '#contract/allow.ts'
import { type Db, type DbOrTx, runPrepared } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import type { KeyAccess } from '../keys/labels.ts'
import { apiKeysTable } from '../keys/schema.ts'
import type { TimeFormat } from '../labels.ts'
import { sessionsTable, type UserRole, userCampaignsTable, usersTable } from '../schema.ts'
import { passkeysTable, secondFactorRolesTable, totpSecretsTable } from '../second-factor/schema.ts'
import type { TableLayout } from '../sign-in/contract.ts'
import { canSeeAs } from './can-assign.ts'

/** The signed-in person, read from the database for every request. */
export type CurrentUser = AccessSubject & {
  id: number
  username: string
  email: string
  role: UserRole
  clientId: number | null
  /** The client's time zone; null for staff, who see times in the agency's. */
  timezone: string | null
  /** The campaigns whose rows they see; null means every campaign, and rows without a campaign. */
  campaignIds: number[] | null
  hiddenColumns: Record<string, string[]>
  tableLayouts: Record<string, TableLayout>
  sawTour: boolean
  timeFormat: TimeFormat
  /** SHA-256 of the request's token or key; empty for a job. */
  sessionHash: Buffer
  /** The API key that makes the call in their name. */
  key?: { id: number; name: string; access: KeyAccess; export: boolean }
  /** Whether their role requires a second factor and they have none: then their keys pause, too. */
  mustEnrol: boolean
  /** Whether the last proof of identity in this session is over 15 minutes old. */
  isProofOld: boolean
  /** The viewer, in a read-only view as this person; null for the person themselves. */
  seenBy: { id: number; username: string } | null
}

type UserRow = {
  id: number
  username: string
  email: string
  role: UserRole
  permissions: string[]
  client_id: number | null
  timezone: string | null
  campaign_ids: number[]
  hidden_columns: Record<string, string[]>
  table_layouts: Record<string, TableLayout>
  saw_tour: boolean
  time_format: TimeFormat
}
type SessionRow = { viewer_id: number | null; is_stale: boolean; must_enrol: boolean; is_proof_old: boolean }

/** API keys start with this prefix; session tokens do not. */
export const keyPrefix = 'leadline_'

/** Returns the holder of a session token or an API key; null if it is unknown or expired, or its user may no longer sign in. */
export const findUserByToken = (db: Db, token: string): Promise<CurrentUser | null> =>
  token.startsWith(keyPrefix) ? authenticateKey(db, token) : authenticateSession(db, token)

export async function authenticateSession(db: Db, token: string): Promise<CurrentUser | null> {
  const sessionHash = hashSha256(token)
  const [row] = await runPrepared<UserRow & SessionRow>(db, sessionQuery, { hash: sessionHash })
  if (!row) return null
  if (row.is_stale) await noteSessionUse(db, sessionHash)
  const { must_enrol: mustEnrol, is_proof_old: isProofOld } = row
  const me: CurrentUser = { ...toCurrentUser(row), sessionHash, mustEnrol, isProofOld, seenBy: null }
  if (row.viewer_id === null) return me
  const viewer = await findCurrentUserById(db, row.viewer_id)
  return viewer && canSeeAs(viewer, me) ? { ...me, seenBy: { id: viewer.id, username: viewer.username } } : null
}

/** Ignores failures, so that reads still work on a read-only database. */
const noteSessionUse = (db: Db, sessionHash: Buffer) =>
  db
    .update(sessionsTable)
    .set({ last_used_at: sql`now()` })
    .where(eq(sessionsTable.token_hash, sessionHash))
    .catch(() => undefined)

/** Rights are read for each call: the key's pages that its creator still holds, and the creator's campaigns. */
async function authenticateKey(db: Db, key: string): Promise<CurrentUser | null> {
  const keyHash = hashSha256(key)
  const [row] = await runPrepared<UserRow & ApiKeyRow>(db, keyQuery, { hash: keyHash })
  if (!row) return null
  if (row.is_stale) await noteKeyUse(db, row.key_id)
  return limitToKey({ ...toCurrentUser(row), sessionHash: keyHash, ...withoutSession }, row)
}

/** Returns the user as the key's calls see them. */
function limitToKey(me: CurrentUser, row: ApiKeyRow): CurrentUser {
  const pages = permissionFlags.map((flag) => [flag, me.permissions[flag] && row.key_pages.includes(flag)])
  return {
    ...me,
    isSuperAdmin: false, // their extra rights are not a page that a key can have
    permissions: Object.fromEntries(pages) as Permissions, // every flag has its entry
    key: { id: row.key_id, name: row.key_name, access: row.key_access, export: row.key_export },
    mustEnrol: row.must_enrol,
  }
}

const noteKeyUse = (db: Db, id: number) =>
  db
    .update(apiKeysTable)
    .set({ last_used_at: sql`now()` })
    .where(eq(apiKeysTable.id, id))
    .catch(() => undefined) // as for sessions

type ApiKeyRow = {
  key_id: number
  key_name: string
  key_access: KeyAccess
  key_export: boolean
  key_pages: string[]
  is_stale: boolean
  must_enrol: boolean
}

/** Returns the user with their current rights, for a job that runs in their name; null if they may no longer sign in. */
export async function findCurrentUserById(db: DbOrTx, id: number): Promise<CurrentUser | null> {
  const found = await findAccountById(db, id)
  return found?.isActive ? found.user : null
}

/** Returns the user with the rights that they have while they are active; null for a deleted or unknown account. */
export async function findAccountById(
  db: DbOrTx,
  id: number,
): Promise<{ user: CurrentUser; isActive: boolean } | null> {
  const found = await db.execute<UserRow & { is_active: boolean }>(sql`
    select ${userColumnsSql}, u.is_active from ${usersTable} u where u.id = ${id} and u.deleted_at is null`)
  const [row] = found.rows
  if (!row) return null
  return { user: { ...toCurrentUser(row), sessionHash: noSessionHash, ...withoutSession }, isActive: row.is_active }
}
const noSessionHash = Buffer.alloc(0)
const withoutSession = { mustEnrol: false, isProofOld: false, seenBy: null } as const

/** Returns the holder of an API key with the key's current rights, for a job that it started; null if it no longer works, or pauses. */
export async function findKeyHolderById(db: DbOrTx, keyId: number): Promise<CurrentUser | null> {
  const found = await db.execute<UserRow & ApiKeyRow>(keyHolderSql(sql`k.id = ${keyId}`))
  const [row] = found.rows
  const works = row && !row.must_enrol
  return works ? limitToKey({ ...toCurrentUser(row), sessionHash: noSessionHash, ...withoutSession }, row) : null
}

/**
 * Whether the role of user `u` requires a second factor and they have none. After single sign-on, the second factor is
 * the provider's job.
 */
export const mustEnrolSql = sql`(
  exists (select 1 from ${secondFactorRolesTable} f where f.role = u.role)
  and not exists (select 1 from ${totpSecretsTable} t where t.user_id = u.id and t.enabled_at is not null)
  and not exists (select 1 from ${passkeysTable} p where p.user_id = u.id))`

const userColumnsSql = sql`u.id, u.username, u.email, u.role, u.permissions, u.client_id, u.hidden_columns, u.table_layouts, u.saw_tour, u.time_format,
  (select timezone from ${clientsTable} where id = u.client_id) as timezone,
  case u.role
    when 'super_admin' then '{}'::int[]
    when 'customer' then array(select id from ${campaignsTable} where client_id = u.client_id)
    else array(select campaign_id from ${userCampaignsTable} where user_id = u.id)
  end as campaign_ids`

/** Kept: they are run for every request. */
const sessionQuery = sql`
    select ${userColumnsSql}, s.viewer_id, s.last_used_at < now() - interval '1 minute' as is_stale,
      s.via <> 'single_sign_on' and s.viewer_id is null and ${mustEnrolSql} as must_enrol,
      s.proven_at < now() - interval '15 minutes' as is_proof_old
    from ${sessionsTable} s join ${usersTable} u on u.id = s.user_id
    where s.token_hash = ${sql.placeholder('hash')} and s.expires_at > now() and u.is_active and u.deleted_at is null`
const keyHolderSql = (which: SQL) => sql`
    select ${userColumnsSql}, k.id as key_id, k.name as key_name, k.access as key_access, k.export as key_export,
      k.pages as key_pages, ${mustEnrolSql} as must_enrol,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as is_stale
    from ${apiKeysTable} k join ${usersTable} u on u.id = k.user_id
    where ${which} and k.expires_at > now() and u.role <> 'customer' and u.is_active and u.deleted_at is null`
const keyQuery = keyHolderSql(sql`k.key_hash = ${sql.placeholder('hash')}`)

function toCurrentUser(row: UserRow): Omit<CurrentUser, 'sessionHash' | 'mustEnrol' | 'isProofOld' | 'seenBy'> {
  const isSuperAdmin = row.role === 'super_admin'
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    role: row.role,
    isAdmin: isSuperAdmin || row.role === 'admin',
    isSuperAdmin,
    isCustomer: row.role === 'customer',
    permissions: effectivePermissions(row.role, row.permissions),
    clientId: row.client_id,
    timezone: row.timezone,
    campaignIds: isSuperAdmin ? null : row.campaign_ids,
    hiddenColumns: row.hidden_columns,
    tableLayouts: row.table_layouts,
    sawTour: row.saw_tour,
    timeFormat: row.time_format,
  }
}

/** Returns the ticked pages that the role may hold. */
export function effectivePermissions(role: UserRole, ticked: readonly string[]): Permissions {
  const holds = (flag: PermissionFlag) => {
    if (role === 'super_admin') return true
    if (role === 'customer') return customerFlags.includes(flag)
    return ticked.includes(flag) && (role === 'admin' || handlerFlags.some((one) => one === flag))
  }
  return Object.fromEntries(permissionFlags.map((flag) => [flag, holds(flag)])) as Permissions // every flag has its entry
}

/** Returns whether a caller is not of the agency: a guest, or a client in a session of their own. */
export const isOutsider = (me: CurrentUser | null): boolean => me === null || (me.role === 'customer' && !me.seenBy)
