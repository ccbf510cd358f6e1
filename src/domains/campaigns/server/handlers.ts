import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { runTransaction } from '#core/db/db.ts'
import { JsonText } from '#core/http/json-text.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { type Campaign, campaignsContract } from '../contract.ts'
import { campaignFields } from '../fields.ts'
import { setCampaignArchived } from './archiving.ts'
import { readCampaignOptions } from './campaign-options.ts'
import { createCampaign, type HandOverCampaign, updateCampaign } from './mutations.ts'
import { buildCampaignsQuery, readCampaignsPage } from './queries.ts'
import { requireCampaign } from './require-campaign.ts'
import { readCampaignJson } from './serializer.ts'

export const createCampaignsHandlers = (handOver: readonly HandOverCampaign[]) =>
  implementContract(campaignsContract, {
    list: async ({ db, me, context, query }) =>
      new JsonText(await readCampaignsPage(db, { me, zone: context.settings.AGENCY_TIMEZONE, archived: false }, query)),

    archived: async ({ db, me, context, query }) =>
      new JsonText(await readCampaignsPage(db, { me, zone: context.settings.AGENCY_TIMEZONE, archived: true }, query)),

    csv: (call) => sendCampaignsCsv(call, campaignsContract.csv.file, false),

    archivedCsv: (call) => sendCampaignsCsv(call, campaignsContract.archivedCsv.file, true),

    all: async ({ db, me, context, query }) =>
      new JsonText(await readCampaignOptions(db, me, context.settings.AGENCY_TIMEZONE, query.with_teams === 1)),

    get: async ({ db, me, context, params }) => {
      const { id } = await requireCampaign(db, me, params.id)
      return new JsonText(await readCampaignJson(db, context.settings.AGENCY_TIMEZONE, id))
    },

    create: async ({ db, me, context, actor, body }) => {
      const json = await runTransaction(db, async (tx) => {
        const id = await createCampaign(tx, { me, actor, context }, body)
        return readCampaignJson(tx, context.settings.AGENCY_TIMEZONE, id)
      })
      return new JsonText(json)
    },

    update: async ({ db, me, context, actor, params, body }) => {
      const zone = context.settings.AGENCY_TIMEZONE
      const json = await runTransaction(db, async (tx) => {
        await updateCampaign(tx, { me, actor }, { id: params.id, zone, wanted: body, handOver })
        return readCampaignJson(tx, zone, params.id)
      })
      return new JsonText(json)
    },

    archive: async ({ db, me, context, actor, params }) => {
      const json = await db.transaction(async (tx) => {
        await setCampaignArchived(tx, { me, actor }, params.id, true)
        return readCampaignJson(tx, context.settings.AGENCY_TIMEZONE, params.id)
      })
      return new JsonText(json)
    },

    unarchive: async ({ db, me, context, actor, params }) => {
      const json = await db.transaction(async (tx) => {
        await setCampaignArchived(tx, { me, actor }, params.id, false)
        return readCampaignJson(tx, context.settings.AGENCY_TIMEZONE, params.id)
      })
      return new JsonText(json)
    },
  })

function sendCampaignsCsv(
  call: EndpointCall<typeof campaignsContract.csv> | EndpointCall<typeof campaignsContract.archivedCsv>,
  name: string,
  archived: boolean,
) {
  const { me, context, query } = call
  const rows = buildCampaignsQuery({ me, zone: context.settings.AGENCY_TIMEZONE, archived }, query)
  return sendCsv<Campaign>(call, {
    name,
    of: archived ? 'archived campaigns' : 'campaigns',
    rows,
    columns: campaignCsvColumns,
  })
}

/** The columns of campaigns.csv: those of the table. */
const campaignCsvColumns = buildCsvColumns(campaignFields, {
  categories: ({ categories }) => categories.map(({ name }) => name).join(', '),
  client: ({ client }) => client.name,
  client_sites: ({ client_sites }) => client_sites.map(({ url }) => url).join(', '),
  ppc: ({ ppc }) => ppc && Math.round(ppc * 100) / 100,
})
