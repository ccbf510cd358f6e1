import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Queries } from '#core/db/db.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { clientSites } from '#domains/sites/client/schema.ts'
import { companiesOf } from '#integrations/callrail/webhook.ts'
import { type Body, Unusable } from './parse-body.ts'
import type { StoredEvent } from './parsed-event.ts'
import { signs } from './verify-signature.ts'
import type { WorkingHours } from './working-hours.ts'

/** The client site of an event, with its campaign's working hours; a site without a campaign has none. */
export type Site = { id: number; campaign_id: number | null; hours: WorkingHours | null }
type Candidate = Site & { company: string | null; signingKey: Buffer | null }

/** Every site that these events may belong to, in one look. */
export class Sites {
  readonly #candidates: Candidate[]

  private constructor(candidates: Candidate[]) {
    this.#candidates = candidates
  }

  static async of(db: Queries, events: { event: StoredEvent; body: Body }[]): Promise<Sites> {
    const companies = events.flatMap(({ event, body }) => (event.provider === 'callrail' ? companiesOf(body) : []))
    const ids = events.flatMap(({ event }) => (event.clientsite_id === null ? [] : [event.clientsite_id]))
    if (companies.length === 0 && ids.length === 0) return new Sites([])
    const found = await db
      .select({
        id: clientSites.id,
        campaign_id: clientSites.campaign_id,
        company: clientSites.callrail_campaign_identifier,
        signingKey: clientSites.callrail_signing_key,
        schedule: campaigns.schedule,
        timezone: campaigns.timezone,
      })
      .from(clientSites)
      .leftJoin(campaigns, eq(campaigns.id, clientSites.campaign_id))
      .where(
        and(
          or(
            inArray(clientSites.callrail_campaign_identifier, [...new Set(companies)]),
            inArray(clientSites.id, [...new Set(ids)]),
          ),
          isNull(clientSites.deleted_at),
        ),
      )
      .orderBy(clientSites.id)
    return new Sites(
      found.map(({ schedule, timezone, ...site }) => ({
        ...site,
        hours: schedule && timezone ? { schedule, timezone } : null,
      })),
    )
  }

  /** The site of a form. */
  byId(id: number | null): Site {
    const site = this.#candidates.find((one) => one.id === id)
    if (!site) throw new Unusable('The client site of this form is gone')
    return site
  }

  /**
   * The site of a company. It is the one whose key let the event in, or one whose key signed it: an event that was kept
   * before its company was entered must not become another company's lead when it is replayed.
   */
  byCompany(house: House, event: StoredEvent, companies: string[]): Site {
    const named = companies.join(' or ') || 'none'
    const candidates = this.#candidates.filter(({ company }) => company !== null && companies.includes(company))
    if (candidates.length === 0) throw new Unusable(`No client site has the CallRail company ${named}`)
    const signature = event.headers.signature ?? ''
    const proven = candidates.find(
      (site) => site.id === event.clientsite_id || signs(house, site, event.body, signature),
    )
    if (!proven) throw new Unusable(`Signed with the key of another company than ${named}`)
    return proven
  }
}
