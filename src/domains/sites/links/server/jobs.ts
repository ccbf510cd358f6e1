import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { job } from '#core/jobs/jobs.ts'
import { claimHost, releaseHost } from '#domains/sites/checks/server/host-claims.ts'
import { crawl } from './crawl.ts'
import { type Crawled, keepFailure, keepLinks } from './store-links.ts'

type Pace = { between?: number; atOnce?: number; milliseconds?: number }
const longest = 240_000

/** Crawls every network site that is due, a few at a time. Answers how many. */
export async function crawlDue(house: House, pace: Pace = {}): Promise<number> {
  const { between = 1000, atOnce = 6, milliseconds = Number.POSITIVE_INFINITY } = pace
  const end = performance.now() + milliseconds
  let count = 0
  const work = async () => {
    while (performance.now() < end && !house.jobs.stopping.aborted) {
      const site = await claimSite(house)
      if (!site) return
      count += 1
      await crawlSite(house, site, between)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return count
}

async function crawlSite(house: House, site: Crawled & { host: string }, between: number) {
  const inTurn = <T>(request: () => Promise<T>) => afterOthers(house, site.host, request)
  try {
    await keepLinks(house, site, await crawl(house.outbound, site.url, { between, milliseconds: longest, inTurn }))
  } catch (error) {
    await keepFailure(house, site, error)
  }
}

/** A check of the same host is let finish first, and waits for us in its turn. */
async function afterOthers<T>({ db }: House, host: string, request: () => Promise<T>): Promise<T> {
  while (!(await claimHost(db, host, 60))) await pause(200)
  try {
    return await request()
  } finally {
    await releaseHost(db, host)
  }
}

/** The longest due. If this process dies, another one finds it due again. */
async function claimSite({ db }: House): Promise<(Crawled & { host: string }) | undefined> {
  const { rows } = await db.execute<Crawled & { host: string }>(sql`
    update network_sites set next_crawl_at = now() + interval '20 minutes' where id = (
      select id from network_sites where next_crawl_at <= now() order by next_crawl_at, id limit 1 for update skip locked)
    returning id, url, host`)
  return rows[0]
}

const linkCrawl = job({
  name: 'link-crawl',
  cron: '*/10 * * * *',
  retries: 0, // a site that failed has a time of its own
  run: async (house) => {
    const isAsked = !house.jobs.working // from the command line: every site, now
    if (isAsked) await house.db.execute(sql`update network_sites set next_crawl_at = now()`)
    const sites = await crawlDue(house, isAsked ? {} : { milliseconds: longest })
    house.log.info({ sites }, 'network sites crawled')
  },
})

export const linkCrawlJobs = [linkCrawl]
