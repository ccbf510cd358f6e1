import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { LeadCompany } from '#domains/leads/model/provider-ids.ts'
import type { CampaignHours } from '#domains/leads/model/working-hours.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { readCompanyIds } from '#integrations/callrail/webhook.ts'
import { callRailCompaniesTable } from '../../callrail/schema.ts'
import { findCompanySites } from '../../callrail/server/company-sites.ts'
import type { StoredEvent } from '../schema.ts'
import { type EventBody, UnusableEventError } from './parse-body.ts'
import { isSignedBySite } from './verify-signature.ts'

/**
 * The client site of an event, with its campaign's working hours; a site without a campaign has no hours. A company of a connected account
 * that no site has yet has neither.
 */
export type EventSite = { id: number | null; campaign_id: number | null; hours: CampaignHours | null }
type SiteCandidate = EventSite & { id: number; company: string | null; signingKey: Buffer | null }
/** A company of a connected account of CallRail: its id, its older number if that is known, and whether its site was deleted. */
type ListedCompany = { ids: string[]; isLeft: boolean }

const unassignedSite: EventSite = { id: null, campaign_id: null, hours: null }

/** The sites that these events may belong to, read in one query. */
export class EventSites {
  readonly #candidates: SiteCandidate[]
  readonly #companies: ListedCompany[]

  private constructor(candidates: SiteCandidate[], companies: ListedCompany[]) {
    this.#candidates = candidates
    this.#companies = companies
  }

  /** Reads the sites of CallRail's and Formidable's events, and those with the given ids. */
  static async of(
    db: DbOrTx,
    events: { event: StoredEvent; body: EventBody }[],
    siteIds: number[],
  ): Promise<EventSites> {
    const named = events.flatMap(({ event, body }) => (event.provider === 'callrail' ? readCompanyIds(body) : []))
    const listed = await readListedCompanies(db, named)
    const companies = [...named, ...listed.flatMap((company) => company.ids)]
    const ids = [...siteIds, ...events.flatMap(({ event }) => event.clientsite_id ?? [])]
    if (companies.length === 0 && ids.length === 0) return new EventSites([], [])
    const found = await db
      .select({
        id: clientSitesTable.id,
        campaign_id: clientSitesTable.campaign_id,
        company: clientSitesTable.callrail_campaign_identifier,
        signingKey: clientSitesTable.callrail_signing_key,
        schedule: campaignsTable.schedule,
        timezone: campaignsTable.timezone,
      })
      .from(clientSitesTable)
      .leftJoin(campaignsTable, eq(campaignsTable.id, clientSitesTable.campaign_id))
      .where(
        and(
          or(
            inArray(clientSitesTable.callrail_campaign_identifier, [...new Set(companies)]),
            inArray(clientSitesTable.id, [...new Set(ids)]),
          ),
          isNull(clientSitesTable.deleted_at),
        ),
      )
      .orderBy(clientSitesTable.id)
    return new EventSites(
      found.map(({ schedule, timezone, ...site }) => ({
        ...site,
        hours: schedule && timezone ? { schedule, timezone } : null,
      })),
      listed,
    )
  }

  /** Returns the site of a form or a lead source. */
  byId(id: number | null): EventSite & { id: number } {
    const site = this.#candidates.find((one) => one.id === id)
    if (!site) throw new UnusableEventError('The client site of this event was deleted')
    return site
  }

  /**
   * Returns the site of a company: the one whose key was verified on arrival, or one whose key signed the event. An event that was
   * kept before its company was entered must not become another company's lead when it is replayed. What an account of CallRail lists
   * needs no other proof. Until a site has it, a company of a connected account has leads without a campaign. Returns the company that is
   * proven too: a body may name another's.
   */
  byCompany(context: AppContext, event: StoredEvent, companies: string[]): { site: EventSite; company: LeadCompany } {
    const named = companies.join(' or ') || 'none'
    const listed = this.#companies.find(({ ids }) => ids.includes(companies[0] ?? '')) // the newer id decides
    const ids = [...companies, ...(listed?.ids ?? [])]
    const candidates = this.#candidates.filter(({ company }) => company !== null && ids.includes(company))
    const isListed = event.reconciled_as !== null
    const signature = event.headers.signature ?? ''
    if (candidates.length === 0) {
      const byAgency = () => isSignedBySite(context, { id: 0, signingKey: null }, event.body, signature)
      if (isListed || (listed && !listed.isLeft && byAgency()))
        return { site: unassignedSite, company: { id: companies[0] ?? '', isListed } }
      throw new UnusableEventError(`No client site has the CallRail company ${named}`)
    }
    const proven = candidates.find(
      (site) => isListed || site.id === event.clientsite_id || isSignedBySite(context, site, event.body, signature),
    )
    if (!proven) throw new UnusableEventError(`Signed with the key of another company than ${named}`)
    return { site: proven, company: { id: proven.company ?? '', isListed } }
  }
}

async function readListedCompanies(db: DbOrTx, companies: string[]): Promise<ListedCompany[]> {
  if (companies.length === 0) return []
  const distinct = [...new Set(companies)]
  const { company_id, number } = callRailCompaniesTable
  const rows = await db
    .select({ company_id, number })
    .from(callRailCompaniesTable)
    .where(or(inArray(company_id, distinct), inArray(number, distinct)))
  const sites = await findCompanySites(
    db,
    rows.map((row) => row.company_id),
  )
  return rows.map((row) => ({
    ids: row.number === null ? [row.company_id] : [row.company_id, row.number],
    isLeft: sites.get(row.company_id) === 'deleted',
  }))
}
