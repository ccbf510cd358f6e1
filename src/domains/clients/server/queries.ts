import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { invalid, notFound } from '#core/http/errors.ts'
import { users } from '#domains/access/schema.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns, withTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { openSorts } from '../contract.ts'
import { clients } from '../schema.ts'

/** Clients as this person reads them: in full, or for who only picks them by name. */

type Asked = { search?: string | undefined; sort: string; order: 'asc' | 'desc'; page: number; per_page: number }

const readsInFull = (me: Me) => me.permissions.clients
const visibleTo = (me: Me) => and(isNull(clients.deleted_at), withTheirCampaigns(me, clients.id))
const theirAccount = and(eq(users.client_id, clients.id), isNull(users.deleted_at))

export async function clientsPage(db: Queries, me: Me, asked: Asked) {
  const where = matching(me, asked)
  const rows = clientRows(db, me)
    .where(where)
    .orderBy(...ordered(asked))
    .limit(asked.per_page)
    .offset((asked.page - 1) * asked.per_page)
  const counted = db
    .select({ total: sql<number>`count(*)::int` })
    .from(clients)
    .leftJoin(users, theirAccount)
    .where(where)
  const [data, [count]] = await Promise.all([rows, counted])
  return { data, meta: { total: count?.total ?? 0 } }
}

/** All of them, for a file. */
export const clientsQuery = (db: Queries, me: Me, asked: Asked): SQL => allClients(db, me, asked).getSQL()

/** All of them, for pickers. */
export const allClients = (db: Queries, me: Me, asked: Asked) =>
  clientRows(db, me)
    .where(matching(me, asked))
    .orderBy(...ordered(asked))

/** One, in the shape of the list. Throws 404 for what this person does not see. */
export async function readClient(db: Queries, me: Me, id: number) {
  const [client] = await fullRows(db, me).where(and(eq(clients.id, id), visibleTo(me)))
  if (!client) throw notFound()
  return client
}

const clientRows = (db: Queries, me: Me) => (readsInFull(me) ? fullRows(db, me) : names(db))

const names = (db: Queries) =>
  db.select({ id: clients.id, name: clients.name }).from(clients).leftJoin(users, theirAccount).$dynamic()

function fullRows(db: Queries, me: Me) {
  const visible = inTheirCampaigns(me, sql`g.id`) ?? sql`true`
  return db
    .select({
      id: clients.id,
      name: clients.name,
      user: sql<Account | null>`case when ${users.id} is not null then json_build_object(
        'id', ${users.id}, 'username', ${users.username}, 'email', ${users.email}, 'is_active', ${users.is_active}::int) end`.as(
        'user',
      ),
      timezone: clients.timezone,
      emails: sql<string>`array_to_string(${clients.emails}, chr(10))`.as('emails'),
      disable_notifications: sql<0 | 1>`${clients.disable_notifications}::int`.as('disable_notifications'),
      campaigns: sql<{ id: number; name: string; archived: 0 | 1 }[]>`(
        select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'archived', g.archived::int)
          order by lower(g.name), g.id), '[]')
        from campaigns g where g.client_id = ${clients.id} and ${visible})`.as('campaigns'),
      may_change:
        sql<boolean>`not exists (select from campaigns g where g.client_id = ${clients.id} and not ${visible})`.as(
          'may_change',
        ),
      version: clients.version,
    })
    .from(clients)
    .leftJoin(users, theirAccount)
    .$dynamic()
}
type Account = { id: number; username: string; email: string; is_active: 0 | 1 }

/** A search looks only into what the reader can read: sorting and searching by a hidden column would tell it. */
function matching(me: Me, { search, sort }: Asked): SQL | undefined {
  const inFull = readsInFull(me)
  if (!inFull && !openSorts.includes(sort)) throw invalid({ sort: ['This list cannot be sorted by that'] })
  if (!search) return visibleTo(me)
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const theirs = inTheirCampaigns(me, sql`g.id`) ?? sql`true`
  const hidden = inFull
    ? [
        sql`${users.username} ilike ${like}`,
        sql`${users.email} ilike ${like}`,
        sql`array_to_string(${clients.emails}, chr(10)) ilike ${like}`,
        sql`exists (select from campaigns g where g.client_id = ${clients.id} and g.name ilike ${like} and ${theirs})`,
      ]
    : []
  return and(visibleTo(me), or(sql`${clients.name} ilike ${like}`, ...hidden))
}

function ordered({ sort, order }: Asked): SQL[] {
  const column = {
    id: sql`${clients.id}`,
    name: sql`lower(${clients.name})`,
    'user.email': sql`lower(${users.email})`,
    disable_notifications: sql`${clients.disable_notifications}`,
    timezone: sql`${clients.timezone}`,
    'user.is_active': sql`${users.is_active}`,
  }[sort]
  const direction = order === 'asc' ? asc : desc
  return [sql`${direction(column ?? sql`lower(${clients.name})`)} nulls last`, sql`${clients.id}`]
}
