import { inArray } from 'drizzle-orm'
import { sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { erasuresContract } from '../contract.ts'
import { erasuresTable } from '../schema.ts'
import { type DoneErasure, type ErasureContext, erasePerson, rehearseErasure, sumCounts } from './erase-person.ts'
import { saveErasureList } from './erasure-list.ts'

const shownLeads = 50

export const createErasuresHandlers = (personalData: ErasureContext['personalData']) =>
  implementContract(erasuresContract, {
    list: async ({ db, query }) => {
      const direction = sortDirection(query.order)
      const erasures = db.select().from(erasuresTable).orderBy(direction(erasuresTable.at), direction(erasuresTable.id))
      const { data, total } = await readPage(erasures, db.$count(erasuresTable), query)
      return { data: data.map(toErasure), total }
    },

    rehearse: async ({ db, context, body }) => {
      const { erasure, leads, also } = await rehearseErasure({ ...context, personalData }, body)
      const shown = leads.slice(0, shownLeads)
      const ids = shown.map(({ campaign_id }) => campaign_id)
      const { id, name } = campaignsTable
      const campaigns = await db.select({ id, name }).from(campaignsTable).where(inArray(id, ids))
      const names = new Map(campaigns.map((campaign) => [campaign.id, campaign.name]))
      return {
        counts: toErasure(erasure).counts,
        total: sumCounts(erasure.counts),
        leads: shown.map((lead) => ({
          id: lead.id,
          campaign: names.get(lead.campaign_id) ?? null,
          occurred_at: lead.occurred_at,
        })),
        recordings: leads.filter(({ has_recording }) => has_recording).length,
        also,
      }
    },

    erase: async ({ context, actor, body }) => {
      const erasure = await erasePerson({ ...context, personalData }, body, { actor, total: body.total })
      await saveErasureList(context)
      return toErasure(erasure)
    },
  })

const toErasure = ({ id, at, username, counts }: DoneErasure) => ({
  id,
  at,
  username,
  counts: Object.entries(counts).flatMap(([label, rows]) => (rows > 0 ? [{ label, rows }] : [])),
})
