import { and, desc, inArray, isNull } from 'drizzle-orm'
import { diffFields } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { type RecordedHappening, recordHappenings } from '#domains/happenings/public.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { partByField } from '../labels.ts'
import { googleEditsTable, type googleLocationsTable } from '../schema.ts'

type LocationRow = typeof googleLocationsTable.$inferSelect

/** Who changed a field: we, Google, or unknown. */
type LocationEditor = 'ours' | 'google' | 'unknown'

/** Records every field of a location when it is first read, and later each changed field with who changed it. */
export async function recordLocations(
  tx: Tx,
  known: ReadonlyMap<string, LocationRow>,
  written: readonly LocationRow[],
  googleParts: ReadonlyMap<string, string[]>,
): Promise<void> {
  const changed = written.flatMap((row) => {
    const before = known.get(row.name)
    const after = pickRecorded(row)
    const fields = before ? Object.keys(diffFields(pickRecorded(before), after).after) : []
    return before && fields.length === 0 ? [] : [{ row, before, after, fields }]
  })
  if (changed.length === 0) return
  const campaigns = await readListingCampaigns(
    tx,
    changed.flatMap(({ row }) => row.cid ?? []),
  )
  const edits = await tx
    .select({ location_id: googleEditsTable.location_id, fields: googleEditsTable.fields })
    .from(googleEditsTable)
    .where(
      and(
        inArray(
          googleEditsTable.location_id,
          changed.map(({ row }) => row.id),
        ),
        inArray(googleEditsTable.state, ['sending', 'done']),
      ),
    )
    .orderBy(desc(googleEditsTable.id))
  const isOurs = (id: number, field: string, value: unknown) => {
    const last = edits.find(({ location_id, fields }) => location_id === id && field in fields)
    return (
      last !== undefined && JSON.stringify(last.fields[field as keyof typeof last.fields]) === JSON.stringify(value)
    )
  }
  const findEditor = ({ id, name }: LocationRow, field: string, value: unknown): LocationEditor => {
    if (isOurs(id, field, value)) return 'ours'
    const part = field in partByField ? partByField[field as keyof typeof partByField] : field
    return googleParts.get(name)?.some((one) => one.split('.')[0] === part) ? 'google' : 'unknown'
  }
  await recordHappenings(
    tx,
    changed.map(({ row, before, after, fields }): RecordedHappening => {
      const values = new Map(Object.entries(after))
      const editors = Object.fromEntries(fields.map((field) => [field, findEditor(row, field, values.get(field))]))
      return {
        kind: 'google_location',
        subject: { type: 'google_location', id: row.id },
        campaign_id: (row.cid && campaigns.get(row.cid)) || null,
        before: before ? pickRecorded(before) : null,
        after: before ? { ...after, edited_by: editors } : after,
      }
    }),
  )
}

const pickRecorded = (row: LocationRow) => ({
  title: row.title,
  store_code: row.store_code,
  address: row.address,
  region_code: row.region_code,
  phone: row.phone,
  website: row.website,
  description: row.description,
  service_area: row.service_area,
  primary_category: row.primary_category,
  categories: row.categories,
  google_maps_url: row.google_maps_url,
  review_link: row.review_link,
  place_id: row.place_id,
  open_status: row.open_status,
  standing: row.standing,
})

async function readListingCampaigns(tx: Tx, cids: string[]): Promise<Map<string, number>> {
  const listings = await tx
    .select({ cid: gmbsTable.cid, campaign_id: gmbsTable.campaign_id })
    .from(gmbsTable)
    .where(and(inArray(gmbsTable.cid, cids), isNull(gmbsTable.deleted_at)))
  return new Map(listings.flatMap(({ cid, campaign_id }) => (cid ? [[cid, campaign_id] as const] : [])))
}
