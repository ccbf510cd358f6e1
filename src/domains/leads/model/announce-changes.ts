import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type AuditActor, diffFields } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { liveFields } from '../live-changes.ts'
import { liveChannels } from '../live-channels.ts'
import { type StoredLead, toLeadDto, toRatingFields } from './dto.ts'

const placeSchema = z.object({ campaign_id: z.int(), hide: z.boolean() })
/** A changed lead: where it is and was, so that each stream knows who may see it, and its new values. */
const announcedLeadSchema = z.object({
  id: z.int(),
  version: z.int(),
  was: placeSchema,
  now: placeSchema,
  fields: z.record(z.string(), z.unknown()),
  /** The names of what else has changed. */
  others: z.array(z.string()),
})
/** The notification of a commit that changed leads: `by` is the user, null for a client's link or the system. */
export const announcementSchema = z.object({ by: z.int().nullable(), leads: z.array(announcedLeadSchema) })
export type LeadAnnouncement = z.infer<typeof announcementSchema>
type AnnouncedLead = z.infer<typeof announcedLeadSchema>

/** PostgreSQL takes notifications of less than 8000 bytes. */
const maxPayloadBytes = 7500

/** Tells open lists what a commit changes, in one statement. They read nothing for it: the new values are in the notification. */
export async function announceChanges(
  tx: Tx,
  actor: AuditActor,
  zone: string,
  writes: readonly { before: StoredLead; after: StoredLead }[],
): Promise<void> {
  const leads = writes.flatMap((write) => describeChange(write, zone))
  if (leads.length === 0) return
  const payloads = packPayloads(actor.me?.id ?? null, leads)
  await tx.execute(sql`select pg_notify(${liveChannels.change}, one) from unnest(${sql.param(payloads)}::text[]) one`)
}

function describeChange({ before, after }: { before: StoredLead; after: StoredLead }, zone: string): AnnouncedLead[] {
  const read = (row: StoredLead) => ({ ...toLeadDto(row, zone), ...toRatingFields(row) })
  const changed = Object.entries(diffFields(read(before), read(after)).after)
  if (changed.length === 0) return []
  const isLive = ([name]: [string, unknown]) => liveFields.some((field) => field === name)
  const [fields, others] = [changed.filter(isLive), changed.filter((one) => !isLive(one))]
  const place = ({ campaign_id, hide }: StoredLead) => ({ campaign_id, hide })
  const lead = { id: after.id, version: before.version + 1, was: place(before), now: place(after) }
  const told = { ...lead, fields: Object.fromEntries(fields), others: others.map(([name]) => name) }
  const isSmall = Buffer.byteLength(JSON.stringify(told)) < maxPayloadBytes / 2
  return [isSmall ? told : { ...lead, fields: {}, others: changed.map(([name]) => name) }]
}

/** Returns as few payloads as hold them all. */
function packPayloads(by: number | null, leads: readonly AnnouncedLead[]): string[] {
  const packs: AnnouncedLead[][] = []
  let room = 0
  for (const lead of leads) {
    const size = Buffer.byteLength(JSON.stringify(lead)) + 1
    if (size > room) {
      packs.push([])
      room = maxPayloadBytes - 100 // what is around them
    }
    packs.at(-1)!.push(lead)
    room -= size
  }
  return packs.map((pack) => JSON.stringify({ by, leads: pack } satisfies LeadAnnouncement))
}
