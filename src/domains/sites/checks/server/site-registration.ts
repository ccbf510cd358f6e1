import { sql } from 'drizzle-orm'
import { getDomain } from 'tldts'
import type { House } from '#core/app-context.ts'
import type { Tx } from '#core/db/db.ts'
import { invalid } from '#core/http/errors.ts'

export const unreachable = 'This address cannot be checked: it is not on the public web'

/** Refuses an address that no check could ever reach. */
export function expectReachable({ outbound }: House, url: string) {
  if (!outbound.couldReach(new URL(url))) throw invalid({ url: [unreachable] })
}

/** What somebody registered: shop.example of www.shop.example. None for an address or a bare name. */
export const registeredDomain = (host: string): string | null => getDomain(host, { allowPrivateDomains: false })

/** From now on the registry is asked about it, once a day. */
export async function followDomain(tx: Tx, domain: string | null): Promise<void> {
  if (domain !== null)
    await tx.execute(sql`insert into registrations (domain) values (${domain}) on conflict do nothing`)
}

/** Nobody uses it any more. */
export async function forgetDomain(tx: Tx, domain: string | null): Promise<void> {
  if (domain === null) return
  await tx.execute(sql`
    delete from registrations where domain = ${domain}
      and not exists (select from network_sites s where s.domain = ${domain})
      and not exists (select from redirect_domains d where d.registered_domain = ${domain})`)
}
