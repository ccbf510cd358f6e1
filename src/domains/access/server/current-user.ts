import { sql } from 'drizzle-orm'
import { customerFlags, type Flag, flags, handlerFlags, type Permissions, type Person } from '#contract/allow.ts'
import { type Db, runPrepared } from '#core/db/db.ts'
import { sha256 } from '#core/secrets/secrets.ts'
import type { Role } from '../schema.ts'
import type { TableLayout } from '../sign-in/contract.ts'

/** The signed-in person as the server knows them, read fresh for every request. */
export type Me = Person & {
  id: number
  username: string
  email: string
  role: Role
  clientId: number | null
  /** The campaigns whose rows they see; null means every campaign, and rows without one. */
  campaignIds: number[] | null
  hiddenColumns: Record<string, string[]>
  tableLayouts: Record<string, TableLayout>
  sawTour: boolean
  sessionHash: Buffer
}

type Row = {
  id: number
  username: string
  email: string
  role: Role
  permissions: string[]
  client_id: number | null
  campaign_ids: number[]
  hidden_columns: Record<string, string[]>
  table_layouts: Record<string, TableLayout>
  saw_tour: boolean
}

/** Who holds this session token; null where it is unknown or expired, or its user may not sign in any more. */
export async function findMe(db: Db, token: string): Promise<Me | null> {
  const sessionHash = sha256(token)
  const [row] = await runPrepared<Row>(
    db,
    sql`
    select ${rights} from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${sessionHash} and s.expires_at > now() and u.is_active and u.deleted_at is null`,
  )
  return row ? { ...personOf(row), sessionHash } : null
}

/** What somebody may by now, for a job that goes on in their name; null where they may not sign in any more. */
export async function findPerson(db: Db, id: number): Promise<Me | null> {
  const found = await db.execute<Row>(sql`
    select ${rights} from users u where u.id = ${id} and u.is_active and u.deleted_at is null`)
  const [row] = found.rows
  return row ? { ...personOf(row), sessionHash: noSession } : null
}
const noSession = Buffer.alloc(0)

const rights =
  sql.raw(`u.id, u.username, u.email, u.role, u.permissions, u.client_id, u.hidden_columns, u.table_layouts, u.saw_tour,
  case u.role
    when 'super_admin' then '{}'::int[]
    when 'customer' then array(select id from campaigns where client_id = u.client_id)
    else array(select campaign_id from user_campaigns where user_id = u.id)
  end as campaign_ids`)

function personOf(row: Row): Omit<Me, 'sessionHash'> {
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
export function effectivePermissions(role: Role, ticked: readonly string[]): Permissions {
  const holds = (flag: Flag) => {
    if (role === 'super_admin') return true
    if (role === 'customer') return customerFlags.includes(flag)
    return ticked.includes(flag) && (role === 'admin' || handlerFlags.some((one) => one === flag))
  }
  return Object.fromEntries(flags.map((flag) => [flag, holds(flag)])) as Permissions // every flag has its entry
}
