import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, selectFields } from '#core/db/field-columns.ts'
import { containsFolded, sortDirection, textOrderSql } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns, inVisibleClients } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { type ClientListQuery, clientOptionSchema } from '../contract.ts'
import { clientFields } from '../fields.ts'
import { clientsTable } from '../schema.ts'

/** Clients as this person sees them: in full, or only the names for pickers. */

const canReadFullClients = (me: CurrentUser) => me.permissions.clients
const buildVisibleClientsFilter = (me: CurrentUser) =>
  and(isNull(clientsTable.deleted_at), inVisibleClients(me, clientsTable.id))
const clientAccountCondition = and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at))

export async function readClientsPage(db: DbOrTx, me: CurrentUser, query: ClientListQuery) {
  const where = buildClientsFilter(me, query)
  const clients = selectClientRows(db, me)
    .where(where)
    .orderBy(...buildClientsOrder(query))
  const count = db.$count(sql`${clientsTable} left join ${usersTable} on ${clientAccountCondition}`, where)
  const { data, total } = await readPage(clients, count, query)
  return { data, meta: { total } }
}

/** Returns all matching clients, for a file. */
export const buildClientsQuery = (db: DbOrTx, me: CurrentUser, query: ClientListQuery): SQL =>
  selectAllClients(db, me, query).getSQL()

/** Returns all matching clients, for pickers. */
export const selectAllClients = (db: DbOrTx, me: CurrentUser, query: ClientListQuery) =>
  selectClientRows(db, me)
    .where(buildClientsFilter(me, query))
    .orderBy(...buildClientsOrder(query))

/** Returns one client in the shape of the list. Throws 404 if this person may not see it. */
export async function readClient(db: DbOrTx, me: CurrentUser, id: number) {
  const [client] = await selectFullClients(db, me).where(and(eq(clientsTable.id, id), buildVisibleClientsFilter(me)))
  if (!client) throw notFoundError()
  return client
}

const selectClientRows = (db: DbOrTx, me: CurrentUser) =>
  canReadFullClients(me) ? selectFullClients(db, me) : selectClientNames(db)

const selectClientNames = (db: DbOrTx) =>
  db
    .select({ id: clientsTable.id, name: clientsTable.name })
    .from(clientsTable)
    .leftJoin(usersTable, clientAccountCondition)
    .$dynamic()

function selectFullClients(db: DbOrTx, me: CurrentUser) {
  const visible = inVisibleCampaigns(me, sql`g.id`) ?? sql`true`
  return db
    .select(
      selectFields(clientFields, clientsTable, {
        // The form has the names of the account, which the client may change.
        version: sql`${clientsTable.version} + coalesce(${usersTable.version}, 1) - 1`,
        user: sql`case when ${usersTable.id} is not null then json_build_object(
          'id', ${usersTable.id}, 'username', ${usersTable.username}, 'email', ${usersTable.email}, 'is_active', ${usersTable.is_active}::int) end`,
        emails: sql`array_to_string(${clientsTable.emails}, chr(10))`,
        billing_emails: sql`array_to_string(${clientsTable.billing_emails}, chr(10))`,
        campaigns: sql`(
          select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'archived', g.archived::int)
            order by fold_text(g.name), g.id), '[]')
          from ${campaignsTable} g where g.client_id = ${clientsTable.id} and ${visible})`,
        may_change: sql`not exists (
          select from ${campaignsTable} g where g.client_id = ${clientsTable.id} and not ${visible})`,
      }),
    )
    .from(clientsTable)
    .leftJoin(usersTable, clientAccountCondition)
    .$dynamic()
}
/** Searches only visible columns: sorting or searching by a hidden column would reveal its values. */
function buildClientsFilter(me: CurrentUser, { search, sort }: ClientListQuery): SQL | undefined {
  const inFull = canReadFullClients(me)
  if (!inFull && !(sort in clientOptionSchema.shape))
    throw validationError({ sort: ['This list cannot be sorted by that'] })
  if (!search) return buildVisibleClientsFilter(me)
  const theirs = inVisibleCampaigns(me, sql`g.id`) ?? sql`true`
  const hidden = inFull
    ? [
        containsFolded(usersTable.username, search),
        containsFolded(usersTable.email, search),
        containsFolded(sql`array_to_string(${clientsTable.emails}, chr(10))`, search),
        sql`exists (select from ${campaignsTable} g where g.client_id = ${clientsTable.id} and ${containsFolded(sql`g.name`, search)} and ${theirs})`,
      ]
    : []
  return and(buildVisibleClientsFilter(me), or(containsFolded(clientsTable.name, search), ...hidden))
}

function buildClientsOrder({ sort, order }: ClientListQuery): SQL[] {
  const direction = sortDirection(order)
  return [sql`${direction(clientSortKeys[sort])} nulls last`, sql`${clientsTable.id}`]
}

const clientSortKeys = buildSortKeys(clientFields, clientsTable, {
  'user.email': textOrderSql(usersTable.email),
  'user.is_active': sql`${usersTable.is_active}`,
})
