import { eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, matchFilters, selectFields } from '#core/db/field-columns.ts'
import { orderNullsLast, textOrderSql } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { nameserverSql } from '#domains/sites/registrations/server/registration-sql.ts'
import type { RedirectDomain, RedirectDomainQuery } from '../contract.ts'
import { redirectDomainFields, redirectDomainFilters } from '../fields.ts'
import { redirectDomainsTable } from '../schema.ts'

export async function readRedirectDomainsPage(db: DbOrTx, query: RedirectDomainQuery) {
  const where = buildRedirectDomainsFilter(query)
  const domains = selectRedirectDomains(db).where(where).orderBy(buildRedirectDomainsOrder(query))
  return readPage(domains, db.$count(redirectDomainsTable, where), query)
}

/** Returns a query of all matching domains, for a file. */
export const buildRedirectDomainsQuery = (db: DbOrTx, query: RedirectDomainQuery): SQL =>
  selectRedirectDomains(db).where(buildRedirectDomainsFilter(query)).orderBy(buildRedirectDomainsOrder(query)).getSQL()

export async function readRedirectDomain(db: DbOrTx, domain: string): Promise<RedirectDomain> {
  const [found] = await selectRedirectDomains(db).where(eq(redirectDomainsTable.domain, domain))
  if (!found) throw notFoundError()
  return found
}

const buildRedirectDomainsFilter = (query: RedirectDomainQuery) =>
  matchFilters(redirectDomainFilters, redirectDomainsTable, query, {})

const buildRedirectDomainsOrder = ({ sort, order }: RedirectDomainQuery) =>
  orderNullsLast(redirectDomainSortKeys[sort], order, redirectDomainsTable.id)

const redirectDomainSortKeys = buildSortKeys(redirectDomainFields, redirectDomainsTable, {
  domain: sql`${redirectDomainsTable.domain}`,
  registrar: textOrderSql(registrationsTable.registrar),
  registrant: textOrderSql(registrationsTable.registrant),
  registration: sql`${registrationsTable.registered_on}`,
  expiration: sql`${registrationsTable.expires_on}`,
  nameserver_1: nameserverSql(1),
  nameserver_2: nameserverSql(2),
})

const selectRedirectDomains = (db: DbOrTx) =>
  db
    .select(
      selectFields(redirectDomainFields, redirectDomainsTable, {
        registrar: sql`${registrationsTable.registrar}`,
        registrant: sql`${registrationsTable.registrant}`,
        registration: sql`${registrationsTable.registered_on}::text`,
        expiration: sql`${registrationsTable.expires_on}::text`,
        nameserver_1: nameserverSql(1),
        nameserver_2: nameserverSql(2),
      }),
    )
    .from(redirectDomainsTable)
    .leftJoin(registrationsTable, eq(registrationsTable.domain, redirectDomainsTable.registered_domain))
    .$dynamic()
