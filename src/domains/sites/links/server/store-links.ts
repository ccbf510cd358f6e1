import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { parseHost } from '#contract/fields.ts'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { aboutTomorrowSql, inSomeHoursSql } from '#domains/sites/checks/server/next-time.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { CrawlError, type CrawlResult } from './crawl.ts'

/** The site as it was when the crawl began. */
export type CrawlTarget = { id: number; url: string }

const linkBatchSize = 500

/** Saves the links of a crawl. Links that were not found are lost, provided that every page was read. */
export async function saveCrawledLinks(
  { db }: AppContext,
  site: CrawlTarget,
  { links, missed }: CrawlResult,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockUnchangedSite(tx, site))) return
    const unique = [...new Map(links.map((link) => [hashLink(link), link]))]
    for (let from = 0; from < unique.length; from += linkBatchSize)
      await upsertLinks(tx, site, unique.slice(from, from + linkBatchSize))
    if (missed === 0)
      await tx.execute(
        sql`update outgoing_links set lost_at = now() where network_site_id = ${site.id} and lost_at is null and last_seen_at < now()::timestamptz(3)`,
      )
    await tx
      .update(networkSitesTable)
      .set({
        crawled_at: sql`now()`,
        next_crawl_at: aboutTomorrowSql,
        outgoing_links_parsing_error:
          missed === 0 ? null : `${missed} ${missed === 1 ? 'page' : 'pages'} could not be read`,
        outgoing_links_parsing_failed_at: missed === 0 ? null : sql`now()`,
      })
      .where(eq(networkSitesTable.id, site.id))
  })
}

/** Saves why a crawl failed; the links of the last good crawl stay. */
export async function saveCrawlFailure({ db }: AppContext, site: CrawlTarget, error: unknown): Promise<void> {
  const rest = error instanceof CrawlError ? error.restSeconds : null
  await db.transaction(async (tx) => {
    if (!(await lockUnchangedSite(tx, site))) return
    await tx
      .update(networkSitesTable)
      .set({
        outgoing_links_parsing_error: (error instanceof Error ? error.message : String(error)).slice(0, 500),
        outgoing_links_parsing_failed_at: sql`now()`,
        next_crawl_at: rest === null ? inSomeHoursSql(3) : sql`now() + make_interval(secs => ${rest})`,
      })
      .where(eq(networkSitesTable.id, site.id))
  })
}

async function lockUnchangedSite(tx: Tx, { id, url }: CrawlTarget): Promise<boolean> {
  const [site] = await tx
    .select({ url: networkSitesTable.url })
    .from(networkSitesTable)
    .where(eq(networkSitesTable.id, id))
    .for('update')
  return site?.url === url
}

const hashLink = ({ url, anchor, rel }: CrawlResult['links'][number]) =>
  createHash('sha256')
    .update(JSON.stringify([url, anchor, rel]))
    .digest('base64url')

function upsertLinks(tx: Tx, { id }: CrawlTarget, links: [key: string, link: CrawlResult['links'][number]][]) {
  const rows = links.map(([key, link]) => ({ ...link, key, host: parseHost(link.url) }))
  return tx.execute(sql`
    insert into outgoing_links (network_site_id, url, host, anchor, rel, type, page, key, first_seen_at, last_seen_at)
    select ${id}, url, host, anchor, rel, type, page, key, now(), now()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as link(url text, host text, anchor text, rel text, type text, page text, key text)
    on conflict (network_site_id, key) do update
      set last_seen_at = excluded.last_seen_at, lost_at = null, page = excluded.page, type = excluded.type`)
}
