import { sql } from 'drizzle-orm'
import {
  type AccessSubject,
  customerFlags,
  handlerFlags,
  type PermissionFlag,
  type Permissions,
  permissionFlags,
} from '#contract/allow.ts'
import { type Db, runPrepared } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { sessionsTable, type UserRole, userCampaignsTable, usersTable } from '../schema.ts'
import type { TableLayout } from '../sign-in/contract.ts'

/** The signed-in person as the server knows them, read fresh for every request. */
export type CurrentUser = AccessSubject & {
  id: number
  username: string
  email: string
  role: UserRole
  clientId: number | null
  /** The campaigns whose rows they see; null means every campaign, and rows without one. */
  campaignIds: number[] | null
  hiddenColumns: Record<string, string[]>
  tableLayouts: Record<string, TableLayout>
  sawTour: boolean
  sessionHash: Buffer
}

type UserRow = {
  id: number
  username: string
  email: string
  role: UserRole
  permissions: string[]
  client_id: number | null
  campaign_ids: number[]
  hidden_columns: Record<string, string[]>
  table_layouts: Record<string, TableLayout>
  saw_tour: boolean
}

/** Returns the holder of a session token; null when it is unknown or expired, or its user may no longer sign in. */
export async function authenticate(db: Db, token: string): Promise<CurrentUser | null> {
  const sessionHash = hashSha256(token)
  const [row] = await runPrepared<UserRow>(
    db,
    sql`
    select ${userColumnsSql} from ${sessionsTable} s join ${usersTable} u on u.id = s.user_id
    where s.token_hash = ${sessionHash} and s.expires_at > now() and u.is_active and u.deleted_at is null`,
  )
  return row ? { ...toCurrentUser(row), sessionHash } : null
}

/** Returns the user with the rights they have now, for a job that runs in their name; null when they may no longer sign in. */
export async function findCurrentUserById(db: Db, id: number): Promise<CurrentUser | null> {
  const found = await db.execute<UserRow>(sql`
    select ${userColumnsSql} from ${usersTable} u where u.id = ${id} and u.is_active and u.deleted_at is null`)
  const [row] = found.rows
  return row ? { ...toCurrentUser(row), sessionHash: noSessionHash } : null
}
const noSessionHash = Buffer.alloc(0)

const userColumnsSql = sql`u.id, u.username, u.email, u.role, u.permissions, u.client_id, u.hidden_columns, u.table_layouts, u.saw_tour,
  case u.role
    when 'super_admin' then '{}'::int[]
    when 'customer' then array(select id from ${campaignsTable} where client_id = u.client_id)
    else array(select campaign_id from ${userCampaignsTable} where user_id = u.id)
  end as campaign_ids`

function toCurrentUser(row: UserRow): Omit<CurrentUser, 'sessionHash'> {
  const isSuperAdmin = row.role === 'super_admin'
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    role: row.role,
    isAdmin: isSuperAdmin || row.role === 'admin',
    isSuperAdmin,
    permissions: effectivePermissions(row.role, row.permissions),
    clientId: row.client_id,
    campaignIds: isSuperAdmin ? null : row.campaign_ids,
    hiddenColumns: row.hidden_columns,
    tableLayouts: row.table_layouts,
    sawTour: row.saw_tour,
  }
}

/** What is ticked, cut down to what the role may hold at all. */
export function effectivePermissions(role: UserRole, ticked: readonly string[]): Permissions {
  const holds = (flag: PermissionFlag) => {
    if (role === 'super_admin') return true
    if (role === 'customer') return customerFlags.includes(flag)
    return ticked.includes(flag) && (role === 'admin' || handlerFlags.some((one) => one === flag))
  }
  return Object.fromEntries(permissionFlags.map((flag) => [flag, holds(flag)])) as Permissions // every flag has its entry
}
