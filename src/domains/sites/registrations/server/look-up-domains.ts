import { eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { ips } from '#domains/sites/ips/schema.ts'
import { networkSites } from '#domains/sites/network/schema.ts'
import { Upstream } from '#integrations/outbound/upstream.ts'
import { isConnected, isIndexed } from '#integrations/search-index/search-index.ts'
import { registrations } from '../schema.ts'
import { askRegistry, registriesOf } from './registries.ts'

const atOnce = 20
/** A day, more or less: what was entered together is not asked about together for ever. */
const tomorrow = sql`now() + make_interval(hours => 22) + random() * interval '4 hours'`
const claimed = sql`now() + interval '10 minutes'`

type Bounds = { milliseconds?: number }
type Counts = { domains: number; addresses: number; indexed: number; failed: number }

/** Everything that is due: registrations, the networks of addresses, and the index. Nothing is asked inside a transaction. */
export async function lookUpDue(
  house: House,
  { milliseconds = Number.POSITIVE_INFINITY }: Bounds = {},
): Promise<Counts> {
  const end = performance.now() + milliseconds
  const counts: Counts = { domains: 0, addresses: 0, indexed: 0, failed: 0 }
  const goesOn = () => performance.now() < end && !house.jobs.stopping.aborted
  await forgetUnused(house)
  while (goesOn() && (await someDomains(house, counts)));
  while (goesOn() && (await someAddresses(house, counts)));
  if (isConnected(house.settings)) await index(house, counts, goesOn)
  return counts
}

/** For somebody who asks for all of it now. */
export async function hurry({ db }: House) {
  await db.execute(sql`update registrations set next_look_up_at = now()`)
  await db.execute(sql`update ips set next_look_up_at = now()`)
  await db.execute(
    sql`update network_sites set google_asked_at = null where google_asked_at < now() - interval '1 hour'`,
  )
}

async function someDomains(house: House, counts: Counts): Promise<boolean> {
  const { db } = house
  const { rows } = await db.execute<{ domain: string }>(sql`
    update registrations set next_look_up_at = ${claimed} where domain in (
      select domain from registrations where next_look_up_at <= now() order by next_look_up_at limit ${atOnce} for update skip locked)
    returning domain`)
  await Promise.all(
    rows.map(async ({ domain }) => {
      try {
        const told = await askRegistry(house, domain)
        await db
          .update(registrations)
          .set({ ...told, looked_up_at: sql`now()`, next_look_up_at: tomorrow, failures: 0 })
          .where(eq(registrations.domain, domain))
        counts.domains += 1
      } catch (error) {
        counts.failed += 1
        await db
          .update(registrations)
          .set({
            problem: wordsOf(error),
            failures: sql`least(failures + 1, 100)`,
            next_look_up_at: later(sql`failures`),
          })
          .where(eq(registrations.domain, domain))
      }
    }),
  )
  return rows.length > 0
}

async function someAddresses(house: House, counts: Counts): Promise<boolean> {
  const { db } = house
  const { rows } = await db.execute<{ id: number; ip: string }>(sql`
    update ips set next_look_up_at = ${claimed} where id in (
      select id from ips where next_look_up_at <= now() order by next_look_up_at limit ${atOnce} for update skip locked)
    returning id, ip`)
  await Promise.all(
    rows.map(async ({ id, ip }) => {
      try {
        const [network, reverse_ip] = await Promise.all([
          registriesOf(house).rdap.network(ip),
          house.outbound.reverse(ip),
        ])
        const found = network ?? { owner: null, country: null, region: null }
        await db
          .update(ips)
          .set({ ...found, reverse_ip, looked_up_at: sql`now()`, next_look_up_at: tomorrow })
          .where(eq(ips.id, id))
        counts.addresses += 1
      } catch (error) {
        counts.failed += 1
        house.log.warn({ ip, reason: wordsOf(error) }, 'the network of an address is not known')
        await db
          .update(ips)
          .set({ next_look_up_at: sql`now() + (2 + random()) * interval '1 hour'` })
          .where(eq(ips.id, id))
      }
    }),
  )
  return rows.length > 0
}

/** What is known stays. The next try is later each time, up to a day. */
const later = (failures: ReturnType<typeof sql>) =>
  sql`now() + least(interval '1 day', interval '5 minutes' * power(2, least(${failures}, 10))) * (0.8 + random() * 0.4)`

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 255)

/** Asks the search API one after the other; it costs money, and stops with the first failure. */
async function index(house: House, counts: Counts, goesOn: () => boolean) {
  const { db, outbound, settings, log } = house
  const api = new Upstream('The search API')
  while (goesOn()) {
    const { rows } = await db.execute<{ id: number; host: string }>(sql`
      select id, host from network_sites where google_asked_at is null or google_asked_at < now() - interval '1 day'
      order by google_asked_at nulls first, id limit 1`)
    const [site] = rows
    if (!site) return
    try {
      const found = await api.ask(() => isIndexed(outbound, settings, site.host))
      await db
        .update(networkSites)
        .set({ google_asked_at: sql`now()`, ...(found ? { last_google_index: sql`now()` } : {}) })
        .where(eq(networkSites.id, site.id))
      counts.indexed += 1
    } catch (error) {
      counts.failed += 1
      log.warn({ reason: wordsOf(error) }, 'the search API cannot be asked')
      return
    }
  }
}

/** What no site uses any more, in case it was not forgotten with the last of them. */
async function forgetUnused({ db }: House) {
  await db.execute(sql`
    delete from ips i where not exists (select from client_sites s where s.ip = i.ip and s.deleted_at is null)
      and not exists (select from network_sites s where s.ip = i.ip)`)
  await db.execute(sql`
    delete from registrations r where not exists (select from network_sites s where s.domain = r.domain)
      and not exists (select from redirect_domains d where d.registered_domain = r.domain)`)
}
