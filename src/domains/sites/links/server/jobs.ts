import { sql } from 'drizzle-orm'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { releaseHost, waitForHost } from '#domains/sites/checks/server/host-claims.ts'
import { crawlNetworkSite } from './crawl.ts'
import { type CrawlTarget, saveCrawledLinks, saveCrawlFailure } from './store-links.ts'

type CrawlPace = { between?: number; atOnce?: number; milliseconds?: number }
const maxCrawlMilliseconds = 240_000

/** Crawls every due network site, a few at a time. Returns the count. */
export async function crawlDueSites(context: AppContext, pace: CrawlPace = {}): Promise<number> {
  const { between = 1000, atOnce = 6, milliseconds = Number.POSITIVE_INFINITY } = pace
  const end = performance.now() + milliseconds
  let count = 0
  const work = async () => {
    while (performance.now() < end && !context.jobs.stopping.aborted) {
      const site = await claimDueSite(context)
      if (!site) return
      count += 1
      await crawlAndSaveLinks(context, site, between)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return count
}

async function crawlAndSaveLinks(context: AppContext, site: CrawlTarget & { host: string }, between: number) {
  const inTurn = <T>(request: () => Promise<T>) => withHostClaim(context, site.host, request)
  try {
    await saveCrawledLinks(
      context,
      site,
      await crawlNetworkSite(context.outbound, site.url, { between, milliseconds: maxCrawlMilliseconds, inTurn }),
    )
  } catch (error) {
    await saveCrawlFailure(context, site, error)
  }
}

/** Takes turns with checks of the same host. */
async function withHostClaim<T>({ db }: AppContext, host: string, request: () => Promise<T>): Promise<T> {
  await waitForHost(db, host, 60)
  try {
    return await request()
  } finally {
    await releaseHost(db, host)
  }
}

/** Returns the site that has been due longest. If this process dies, it is due again after 20 minutes. */
async function claimDueSite({ db }: AppContext): Promise<(CrawlTarget & { host: string }) | undefined> {
  const { rows } = await db.execute<CrawlTarget & { host: string }>(sql`
    update network_sites set next_crawl_at = now() + interval '20 minutes' where id = (
      select id from network_sites where next_crawl_at <= now() order by next_crawl_at, id limit 1 for update skip locked)
    returning id, url, host`)
  return rows[0]
}

const linkCrawlJob = defineJob({
  name: 'link-crawl',
  cron: '*/10 * * * *',
  retries: 0, // a failed site has its own next_crawl_at
  run: async (context) => {
    const isManual = !context.jobs.working // from the command line: crawls every site now
    if (isManual) await context.db.execute(sql`update network_sites set next_crawl_at = now()`)
    const sites = await crawlDueSites(context, isManual ? {} : { milliseconds: maxCrawlMilliseconds })
    context.log.info({ sites }, 'network sites crawled')
  },
})

export const linkCrawlJobs = [linkCrawlJob]
