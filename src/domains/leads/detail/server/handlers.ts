import { eq } from 'drizzle-orm'
import { getZoneName } from '#contract/zoned-time.ts'
import type { Db } from '#core/db/db.ts'
import { JsonText } from '#core/http/json-text.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { readLeadHistory, readVisibleLead } from '#domains/leads/history/server/queries.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { readLeadJson, toLeadReader } from '#domains/leads/model/serializer.ts'
import { createRecordingUrl } from '#domains/leads/recordings/server/recording-address.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { readRelatedPage } from '#domains/leads/related/server/queries.ts'
import { type LeadDetail, leadDetailContract, maxRelatedShown } from '../contract.ts'

export const leadDetailHandlers = implementContract(leadDetailContract, {
  read: async ({ db, me, params, context }) => {
    const reader = toLeadReader({ me, context })
    const row = await readVisibleLead(db, me, params.id)
    const [lead, related, client_time, history] = await Promise.all([
      readLeadJson(db, reader, row),
      relatedLeadsContract.ofLead.allow(me) ? readRelatedPage(db, reader, row, firstRelatedQuery) : 'null',
      readClientTime(db, row, reader.zone),
      leadHistoryContract.read.allow(me) ? readLeadHistory(db, me, row, reader.zone) : null,
    ])
    const recording_url = row.recording_url ? createRecordingUrl(context.secrets, row.id, `user ${me.id}`) : null
    const rest = JSON.stringify({ client_time, recording_url, history })
    return new JsonText(`${lead.slice(0, -1)},"related":${related},${rest.slice(1)}`)
  },
})

const firstRelatedQuery = {
  page: 1,
  per_page: maxRelatedShown,
  sort: 'lead_date',
  order: 'desc',
  global: undefined,
} as const

/** Returns null if the client's zone shows the same time as the agency's. */
async function readClientTime(db: Db, row: StoredLead, agencyZone: string): Promise<LeadDetail['client_time']> {
  const [client] = await db
    .select({ zone: clientsTable.timezone })
    .from(campaignsTable)
    .innerJoin(clientsTable, eq(clientsTable.id, campaignsTable.client_id))
    .where(eq(campaignsTable.id, row.campaign_id))
  if (!client) return null
  const [ours, theirs] = [toWallClock(row.occurred_at, agencyZone), toWallClock(row.occurred_at, client.zone)]
  if (ours.day === theirs.day && ours.time === theirs.time) return null
  return { date: theirs.day, time: theirs.time.slice(0, 5), zone: getZoneName(row.occurred_at, client.zone) }
}
