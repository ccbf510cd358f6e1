import { isNull } from 'drizzle-orm'
import { campaigns } from '#domains/campaigns/table.ts'
import { clientSites } from '#domains/client-sites/table.ts'
import type { Queries } from '#server/db.ts'
import type { WorkingHours } from './working-hours.ts'

type Campaign = { id: number; name: string } & WorkingHours
type Site = { id: number; url: string; campaign_id: number | null }
export type Place = { campaign_id: number; clientsite_id: number | null; hours: WorkingHours }

/** The columns by which a line may say where its lead belongs. */
export const placeColumns = [
  'campaign',
  'campaign_name',
  'campaign_id',
  'clientsite',
  'client_site',
  'clientsite_id',
] as const

/** Finds the campaign and the client site that a line names, by id, name or address. */
export class Places {
  readonly #campaigns: Campaign[]
  readonly #sites: Site[]

  private constructor(found: Campaign[], sites: Site[]) {
    this.#campaigns = found
    this.#sites = sites
  }

  static async of(db: Queries): Promise<Places> {
    const { id, name, schedule, timezone } = campaigns
    return new Places(
      await db.select({ id, name, schedule, timezone }).from(campaigns),
      await db
        .select({ id: clientSites.id, url: clientSites.url, campaign_id: clientSites.campaign_id })
        .from(clientSites)
        .where(isNull(clientSites.deleted_at)),
    )
  }

  find(cells: Record<string, string>): Place | { wrong: string } {
    const named = (...columns: (typeof placeColumns)[number][]) => columns.map((column) => cells[column]).find(Boolean)
    const campaignName = named('campaign_id', 'campaign', 'campaign_name')
    const siteName = named('clientsite_id', 'clientsite', 'client_site')
    const site = siteName ? one('client site', siteName, this.#sites, ({ url }) => bare(url) === bare(siteName)) : null
    if (site && 'wrong' in site) return site
    const wanted = campaignName ?? (site?.campaign_id ? String(site.campaign_id) : undefined)
    if (!wanted) return { wrong: 'campaign: Please name the campaign, by its name or id' }
    const campaign = one('campaign', wanted, this.#campaigns, ({ name }) => name.toLowerCase() === wanted.toLowerCase())
    if ('wrong' in campaign) return campaign
    if (site && site.campaign_id !== campaign.id)
      return { wrong: `clientsite: ${site.url} does not belong to the campaign ${campaign.name}` }
    const { schedule, timezone } = campaign
    return { campaign_id: campaign.id, clientsite_id: site?.id ?? null, hours: { schedule, timezone } }
  }
}

/** By name first: a campaign may be called 2024. */
function one<T extends { id: number }>(kind: string, name: string, all: T[], isNamed: (row: T) => boolean) {
  const found = all.filter(isNamed)
  if (found.length > 1) return { wrong: `${kind}: There are ${found.length} of the name ${name}; please give the id` }
  const row = found[0] ?? all.find(({ id }) => String(id) === name)
  return row ?? { wrong: `${kind}: There is no ${kind} ${name}` }
}

/** https://www.example.com/ and example.com are one site. */
const bare = (url: string) =>
  url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')
