import { eq, isNull, not } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { describeArchived } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import {
  findByName,
  getFilledCell,
  type ImportField,
  isSameName,
  type LineCells,
  type LineProblem,
} from '#domains/imports/public.ts'
import type { CampaignHours } from '#domains/leads/model/working-hours.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'

type ImportCampaign = { id: number; name: string; archived: boolean; client: string | null } & CampaignHours
type ImportSite = { id: number; url: string; campaign_id: number | null }
export type ImportTarget = {
  campaign_id: number
  clientsite_id: number | null
  hours: CampaignHours
  /** Why the campaign takes no new leads. */
  closed: LineProblem | null
}

/** The fields by which a line names its campaign and site. */
export const importTargetFields: ImportField[] = [
  {
    name: 'campaign',
    label: 'Campaign',
    also: ['campaign_id', 'campaign_name', 'profile'],
    about: 'Name or number, or that of a client with one campaign; a client site implies the campaign',
    isReference: true,
  },
  {
    name: 'clientsite',
    label: 'Client Site',
    also: ['clientsite_id', 'client_site'],
    about: 'Address or number',
    isReference: true,
  },
]

/** Returns the names of campaigns, or the addresses of client sites. */
export async function listTargetNames(db: DbOrTx, field: string): Promise<string[]> {
  const { name, archived } = campaignsTable
  const { url, deleted_at } = clientSitesTable
  if (field === 'campaign')
    return (await db.select({ name }).from(campaignsTable).where(not(archived))).map((row) => row.name)
  if (field !== 'clientsite') return []
  return (await db.select({ url }).from(clientSitesTable).where(isNull(deleted_at))).map((row) => row.url)
}

/** Finds the campaign and the client site that a line names, by id, name or URL. */
export class ImportTargetFinder {
  readonly #campaigns: ImportCampaign[]
  readonly #sites: ImportSite[]

  private constructor(found: ImportCampaign[], sites: ImportSite[]) {
    this.#campaigns = found
    this.#sites = sites
  }

  static async of(db: DbOrTx): Promise<ImportTargetFinder> {
    const { id, name, archived, schedule, timezone, client_id } = campaignsTable
    return new ImportTargetFinder(
      await db
        .select({ id, name, archived, schedule, timezone, client: clientsTable.name })
        .from(campaignsTable)
        .leftJoin(clientsTable, eq(clientsTable.id, client_id)),
      await db
        .select({ id: clientSitesTable.id, url: clientSitesTable.url, campaign_id: clientSitesTable.campaign_id })
        .from(clientSitesTable)
        .where(isNull(clientSitesTable.deleted_at)),
    )
  }

  find(cells: LineCells): ImportTarget | { wrong: LineProblem[] } {
    const siteName = getFilledCell(cells, 'clientsite')
    const site = siteName
      ? findByName('client site', siteName, this.#sites, ({ url }) => normalizeUrl(url) === normalizeUrl(siteName))
      : null
    if (typeof site === 'string') return targetError('clientsite', site)
    const wanted = getFilledCell(cells, 'campaign') ?? (site?.campaign_id ? String(site.campaign_id) : undefined)
    if (!wanted) return targetError('campaign', 'Please name the campaign, by its name or number (NM ID)')
    const campaign = this.#findCampaign(wanted)
    if (typeof campaign === 'string') return targetError('campaign', campaign)
    if (site && site.campaign_id !== campaign.id)
      return targetError('clientsite', `${site.url} does not belong to the campaign ${campaign.name}`)
    const { schedule, timezone, archived } = campaign
    const closed = archived ? { field: 'campaign', says: describeArchived(campaign) } : null
    return { campaign_id: campaign.id, clientsite_id: site?.id ?? null, hours: { schedule, timezone }, closed }
  }

  /** A service may name the client instead: that is its campaign if it has only one. */
  #findCampaign(wanted: string): ImportCampaign | string {
    const isSame = (name: string | null) => name !== null && isSameName(name, wanted)
    const running = this.#campaigns.filter(({ archived }) => !archived)
    const named = running.some(({ name }) => isSame(name)) ? running : this.#campaigns
    const campaign = findByName('campaign', wanted, named, ({ name }) => isSame(name))
    if (typeof campaign !== 'string') return campaign
    const ofClient = running.filter(({ client }) => isSame(client))
    if (ofClient.length > 1) return `${wanted} is a client with ${ofClient.length} campaigns: please name the campaign`
    return ofClient[0] ?? campaign
  }
}

const targetError = (field: string, says: string) => ({ wrong: [{ field, says }] })

/** Normalizes a URL: https://www.example.com/ and example.com are the same site. */
const normalizeUrl = (url: string) =>
  url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')
