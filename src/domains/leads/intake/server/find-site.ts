import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { CampaignHours } from '#domains/leads/model/working-hours.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { readCompanyIds } from '#integrations/callrail/webhook.ts'
import type { StoredEvent } from '../schema.ts'
import { type EventBody, UnusableEventError } from './parse-body.ts'
import { isSignedBySite } from './verify-signature.ts'

/** The client site of an event, with its campaign's working hours; a site without a campaign has no hours. */
export type EventSite = { id: number; campaign_id: number | null; hours: CampaignHours | null }
type SiteCandidate = EventSite & { company: string | null; signingKey: Buffer | null }

/** The sites that these events may belong to, read in one query. */
export class EventSites {
  readonly #candidates: SiteCandidate[]

  private constructor(candidates: SiteCandidate[]) {
    this.#candidates = candidates
  }

  /** Reads the sites of CallRail's and Formidable's events, and those with the given ids. */
  static async of(
    db: DbOrTx,
    events: { event: StoredEvent; body: EventBody }[],
    siteIds: number[],
  ): Promise<EventSites> {
    const companies = events.flatMap(({ event, body }) => (event.provider === 'callrail' ? readCompanyIds(body) : []))
    const ids = [...siteIds, ...events.flatMap(({ event }) => event.clientsite_id ?? [])]
    if (companies.length === 0 && ids.length === 0) return new EventSites([])
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
    )
  }

  /** Returns the site of a form or a lead source. */
  byId(id: number | null): EventSite {
    const site = this.#candidates.find((one) => one.id === id)
    if (!site) throw new UnusableEventError('The client site of this event was deleted')
    return site
  }

  /**
   * Returns the site of a company: the one whose key was verified on arrival, or one whose key signed the event. An event that was
   * kept before its company was entered must not become another company's lead when it is replayed.
   */
  byCompany(context: AppContext, event: StoredEvent, companies: string[]): EventSite {
    const named = companies.join(' or ') || 'none'
    const candidates = this.#candidates.filter(({ company }) => company !== null && companies.includes(company))
    if (candidates.length === 0) throw new UnusableEventError(`No client site has the CallRail company ${named}`)
    const signature = event.headers.signature ?? ''
    const proven = candidates.find(
      (site) => site.id === event.clientsite_id || isSignedBySite(context, site, event.body, signature),
    )
    if (!proven) throw new UnusableEventError(`Signed with the key of another company than ${named}`)
    return proven
  }
}
