import { createHash } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { getErrorMessage } from '#contract/error-message.ts'
import { parseHost } from '#contract/web-address.ts'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { recordHappenings } from '#domains/happenings/public.ts'
import { aboutTomorrowSql, inSomeHoursSql } from '#domains/sites/checks/server/next-time.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { outgoingLinksTable } from '../schema.ts'
import { CrawlError, type CrawlResult } from './crawl.ts'

/** The site as it was when the crawl started. */
export type CrawlTarget = { id: number; url: string }

const linkBatchSize = 500

/** Saves the links of a crawl. Missing links are lost, but only if no page failed, and of a site with more pages only those of the visited ones. */
export async function saveCrawledLinks(
  { db }: AppContext,
  site: CrawlTarget,
  { links, missed, visited }: CrawlResult,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockUnchangedSite(tx, site))) return
    const unique = [...new Map(links.map((link) => [hashLink(link), link]))]
    const found: StoredLink[] = []
    for (let from = 0; from < unique.length; from += linkBatchSize)
      found.push(...(await upsertLinks(tx, site, unique.slice(from, from + linkBatchSize))))
    const lost = missed === 0 ? await markLostLinks(tx, site, visited) : []
    await recordLinks(tx, site, found, lost)
    await tx
      .update(networkSitesTable)
      .set({
        crawled_at: sql`now()`,
        next_crawl_at: aboutTomorrowSql,
        outgoing_links_parsing_error: missed === 0 ? null : `${countOf(missed, 'page')} could not be read`,
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
        outgoing_links_parsing_error: getErrorMessage(error).slice(0, 500),
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

export const hashLink = ({ url, anchor, rel }: CrawlResult['links'][number]) =>
  createHash('sha256')
    .update(JSON.stringify([url, anchor, rel]))
    .digest('base64url')

type StoredLink = { id: number; url: string; host: string }

/** Saves the links and returns the new ones. */
async function upsertLinks(
  tx: Tx,
  { id }: CrawlTarget,
  links: [key: string, link: CrawlResult['links'][number]][],
): Promise<StoredLink[]> {
  const rows = links.map(([key, link]) => ({ ...link, key, host: parseHost(link.url) }))
  const known = await tx
    .select({ key: outgoingLinksTable.key })
    .from(outgoingLinksTable)
    .where(
      and(
        eq(outgoingLinksTable.network_site_id, id),
        isNull(outgoingLinksTable.lost_at),
        inArray(
          outgoingLinksTable.key,
          links.map(([key]) => key),
        ),
      ),
    )
  const keys = new Set(known.map(({ key }) => key))
  const { rows: stored } = await tx.execute<StoredLink & { key: string }>(sql`
    insert into outgoing_links (network_site_id, url, host, anchor, rel, type, page, key, first_seen_at, last_seen_at)
    select ${id}, url, host, anchor, rel, type, page, key, now(), now()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as link(url text, host text, anchor text, rel text, type text, page text, key text)
    on conflict (network_site_id, key) do update
      set last_seen_at = excluded.last_seen_at, lost_at = null, page = excluded.page, type = excluded.type
    returning id::int, url, host, key`)
  return stored.filter(({ key }) => !keys.has(key))
}

async function markLostLinks(tx: Tx, { id }: CrawlTarget, visited: string[] | null): Promise<StoredLink[]> {
  const isVisited = visited ? sql`page = any(${sql.param(visited)}::text[])` : sql`true`
  const { rows } = await tx.execute<StoredLink>(sql`
    update outgoing_links set lost_at = now()
    where network_site_id = ${id} and lost_at is null and last_seen_at < now()::timestamptz(3) and ${isVisited}
    returning id::int, url, host`)
  return rows
}

/** Records found and lost links; a link to client sites belongs to each campaign of theirs. */
async function recordLinks(tx: Tx, site: CrawlTarget, found: StoredLink[], lost: StoredLink[]): Promise<void> {
  const hosts = [...new Set([...found, ...lost].map(({ host }) => host))]
  if (hosts.length === 0) return
  const targets = await tx
    .selectDistinct({ host: clientSitesTable.host, campaign_id: clientSitesTable.campaign_id })
    .from(clientSitesTable)
    .where(
      and(
        inArray(clientSitesTable.host, hosts),
        isNotNull(clientSitesTable.campaign_id),
        isNull(clientSitesTable.deleted_at),
      ),
    )
  const campaigns = Map.groupBy(targets, ({ host }) => host)
  const toHappening = (kind: 'link_found' | 'link_lost', { id, url, host }: StoredLink) => {
    const state = { url, network_site_id: site.id }
    return (campaigns.get(host) ?? [{ campaign_id: null }]).map(({ campaign_id }) => ({
      kind,
      subject: { type: 'link', id },
      campaign_id,
      before: kind === 'link_lost' ? { ...state, is_there: true } : null,
      after: { ...state, is_there: kind === 'link_found' },
    }))
  }
  await recordHappenings(tx, [
    ...found.flatMap((link) => toHappening('link_found', link)),
    ...lost.flatMap((link) => toHappening('link_lost', link)),
  ])
}
