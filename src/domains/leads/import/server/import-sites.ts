import { isNull } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { filled, named } from '#domains/imports/server/cells.ts'
import type { Cells, ImportField, Wrong } from '#domains/imports/server/importable.ts'
import type { WorkingHours } from '#domains/leads/intake/server/working-hours.ts'
import { clientSites } from '#domains/sites/client/schema.ts'

type Campaign = { id: number; name: string } & WorkingHours
type Site = { id: number; url: string; campaign_id: number | null }
export type Place = { campaign_id: number; clientsite_id: number | null; hours: WorkingHours }

/** By which a line may say where its lead belongs. */
export const placeFields: ImportField[] = [
  {
    name: 'campaign',
    label: 'Campaign',
    also: ['campaign_id', 'campaign_name'],
    about: 'Its name or number; a client site says it too',
  },
  {
    name: 'clientsite',
    label: 'Client Site',
    also: ['clientsite_id', 'client_site'],
    about: 'Its address or number',
  },
]

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

  find(cells: Cells): Place | { wrong: Wrong[] } {
    const siteName = filled(cells, 'clientsite')
    const site = siteName
      ? named('client site', siteName, this.#sites, ({ url }) => bare(url) === bare(siteName))
      : null
    if (typeof site === 'string') return wrong('clientsite', site)
    const wanted = filled(cells, 'campaign') ?? (site?.campaign_id ? String(site.campaign_id) : undefined)
    if (!wanted) return wrong('campaign', 'Please name the campaign, by its name or id')
    const isWanted = ({ name }: Campaign) => name.toLowerCase() === wanted.toLowerCase()
    const campaign = named('campaign', wanted, this.#campaigns, isWanted)
    if (typeof campaign === 'string') return wrong('campaign', campaign)
    if (site && site.campaign_id !== campaign.id)
      return wrong('clientsite', `${site.url} does not belong to the campaign ${campaign.name}`)
    const { schedule, timezone } = campaign
    return { campaign_id: campaign.id, clientsite_id: site?.id ?? null, hours: { schedule, timezone } }
  }
}

const wrong = (field: string, says: string) => ({ wrong: [{ field, says }] })

/** https://www.example.com/ and example.com are one site. */
const bare = (url: string) =>
  url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')
