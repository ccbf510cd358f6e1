import { eq, or, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { contains, folded, ordered } from '#core/db/list-sql.ts'
import { notFound } from '#core/http/errors.ts'
import { registrations } from '#domains/sites/registrations/schema.ts'
import type { RedirectDomain, RedirectDomainQuery, redirectDomainSorts } from '../contract.ts'
import { redirectDomains } from '../schema.ts'

type Sort = (typeof redirectDomainSorts)[number]

export async function domainsPage(db: Queries, query: RedirectDomainQuery) {
  const { page, per_page } = query
  const where = matching(query)
  const [data, total] = await Promise.all([
    domains(db)
      .where(where)
      .orderBy(orderOf(query))
      .limit(per_page)
      .offset((page - 1) * per_page),
    db.$count(redirectDomains, where),
  ])
  return { data, total }
}

/** All of them, for a file. */
export const domainsQuery = (db: Queries, query: RedirectDomainQuery): SQL =>
  domains(db).where(matching(query)).orderBy(orderOf(query)).getSQL()

export async function readDomain(db: Queries, domain: string): Promise<RedirectDomain> {
  const [found] = await domains(db).where(eq(redirectDomains.domain, domain))
  if (!found) throw notFound()
  return found
}

const matching = ({ q }: RedirectDomainQuery) =>
  q === undefined ? undefined : or(contains(redirectDomains.domain, q), contains(redirectDomains.redirect_url, q))

const orderOf = ({ sort, order }: RedirectDomainQuery) => ordered(sortable[sort], order, redirectDomains.id)

const nameserver = (place: number) => sql<string | null>`${registrations.nameservers}[${sql.raw(String(place))}]`

const sortable: Record<Sort, SQL> = {
  domain: sql`${redirectDomains.domain}`,
  redirect_url: sql`${redirectDomains.redirect_url}`,
  live_status: sql`${redirectDomains.live_status}`,
  registrar: folded(registrations.registrar),
  registrant: folded(registrations.registrant),
  registration: sql`${registrations.registered_on}`,
  expiration: sql`${registrations.expires_on}`,
  nameserver_1: nameserver(1),
  nameserver_2: nameserver(2),
}

const domains = (db: Queries) =>
  db
    .select({
      id: redirectDomains.id,
      domain: redirectDomains.domain,
      redirect_url: redirectDomains.redirect_url,
      live_status: sql<RedirectDomain['live_status']>`${redirectDomains.live_status}`,
      registrar: registrations.registrar,
      registrant: registrations.registrant,
      registration: sql<string | null>`${registrations.registered_on}::text`.as('registration'),
      expiration: sql<string | null>`${registrations.expires_on}::text`.as('expiration'),
      nameserver_1: nameserver(1).as('nameserver_1'),
      nameserver_2: nameserver(2).as('nameserver_2'),
      problem: redirectDomains.problem,
    })
    .from(redirectDomains)
    .leftJoin(registrations, eq(registrations.domain, redirectDomains.registered_domain))
    .$dynamic()
