import { sql } from 'drizzle-orm'
import { getDomain } from 'tldts'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'

export const unreachableMessage = 'This address cannot be checked: it is not on the public web'

/** Refuses an address that checks could never reach. */
export function assertReachable({ outbound }: AppContext, url: string) {
  if (!outbound.couldReach(new URL(url))) throw validationError({ url: [unreachableMessage] })
}

/** Returns the registered domain of a host or URL: shop.example for www.shop.example. Null for an IP address or a bare name. */
export const getRegisteredDomain = (address: string): string | null =>
  getDomain(address, { allowPrivateDomains: false })

/** Starts the daily registry lookups of a domain. */
export async function trackDomain(tx: Tx, domain: string | null): Promise<void> {
  if (domain !== null)
    await tx.execute(sql`insert into registrations (domain) values (${domain}) on conflict do nothing`)
}

/** Ends the registry lookups of a domain, unless another site uses it. */
export async function untrackDomain(tx: Tx, domain: string | null): Promise<void> {
  if (domain === null) return
  await tx.execute(sql`
    delete from registrations where domain = ${domain}
      and not exists (select from network_sites s where s.domain = ${domain})
      and not exists (select from client_sites s where s.domain = ${domain} and s.deleted_at is null)
      and not exists (select from redirect_domains d where d.registered_domain = ${domain})`)
}
