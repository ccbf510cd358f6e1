import { and, eq, inArray } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { customSourcesTable } from '../../custom-sources/schema.ts'
import { describeProblems, isMapped, type MappedLead, mapLead } from '../../custom-sources/server/map-lead.ts'
import type { StoredEvent } from '../schema.ts'
import { UnusableEventError } from './parse-body.ts'

type EventSource = Pick<typeof customSourcesTable.$inferSelect, 'id' | 'clientsite_id' | 'preset' | 'mapping'>

/** The lead sources of events, and the numbers of the leads that the events created before. */
export class EventSources {
  readonly #sources: Map<number, EventSource>
  readonly #numbers: Map<number, string>

  private constructor(sources: EventSource[], leads: { id: number; lead_id: string }[]) {
    this.#sources = new Map(sources.map((source) => [source.id, source]))
    this.#numbers = new Map(leads.map(({ id, lead_id }) => [id, lead_id]))
  }

  static async of(db: DbOrTx, events: StoredEvent[]): Promise<EventSources> {
    const own = events.filter(({ source_id }) => source_id !== null)
    if (own.length === 0) return new EventSources([], [])
    const { id, clientsite_id, preset, mapping } = customSourcesTable
    const ids = [...new Set(own.map(({ source_id }) => source_id!))] // filtered above
    const sources = await db
      .select({ id, clientsite_id, preset, mapping })
      .from(customSourcesTable)
      .where(inArray(id, ids))
    const leadIds = own.flatMap(({ lead_id }) => lead_id ?? [])
    if (leadIds.length === 0) return new EventSources(sources, [])
    const leads = await db
      .select({ id: leadsTable.id, lead_id: leadsTable.lead_id })
      .from(leadsTable)
      .where(and(inArray(leadsTable.id, leadIds), eq(leadsTable.lead_s, 'Other')))
    return new EventSources(sources, leads)
  }

  /** The client sites that their leads belong to. */
  get siteIds(): number[] {
    return [...this.#sources.values()].map(({ clientsite_id }) => clientsite_id)
  }

  /** Parses an event with its source's mapping. An event that has a lead keeps it, even if its number is mapped differently now. */
  parse(
    { source_id, lead_id, body: bytes, received_at }: StoredEvent,
    body: unknown,
    zone: string,
  ): (MappedLead & { source: EventSource }) | { waiting: string } {
    const source = this.#sources.get(source_id ?? 0)
    if (!source) throw new UnusableEventError('The lead source of this event was deleted')
    if (!isMapped(source)) return { waiting: 'The fields of this lead source are not mapped yet' }
    const lead = mapLead({ ...source, body, bytes, receivedAt: received_at, zone })
    if (lead.problems.length > 0) throw new UnusableEventError(describeProblems(lead.problems))
    return { ...lead, lead_id: this.#numbers.get(lead_id ?? 0) ?? lead.lead_id, source }
  }
}
