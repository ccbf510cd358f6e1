import { sendCsv } from '#core/csv/csv-stream.ts'
import { transaction } from '#core/db/db.ts'
import { type Call, implement, JsonText } from '#core/http/handle.ts'
import { type Campaign, campaigns as contract } from '../contract.ts'
import { moveToArchive } from './archiving.ts'
import { pickedCampaigns } from './campaign-options.ts'
import { columns } from './csv-columns.ts'
import { changeCampaign, signCampaign } from './mutations.ts'
import { campaignsPage, campaignsQuery } from './queries.ts'
import { campaignJson } from './serializer.ts'

export const campaignsCalls = implement(contract, {
  list: async ({ db, me, house, query }) =>
    new JsonText(await campaignsPage(db, { me, zone: house.settings.AGENCY_TIMEZONE, archived: false }, query)),

  archived: async ({ db, me, house, query }) =>
    new JsonText(await campaignsPage(db, { me, zone: house.settings.AGENCY_TIMEZONE, archived: true }, query)),

  csv: async (call) => {
    await sendFile(call, contract.csv.file, false)
    return undefined
  },

  archivedCsv: async (call) => {
    await sendFile(call, contract.archivedCsv.file, true)
    return undefined
  },

  all: async ({ db, me, house, query }) =>
    new JsonText(await pickedCampaigns(db, me, house.settings.AGENCY_TIMEZONE, query.with_teams === 1)),

  create: async ({ db, me, house, actor, body }) => {
    const json = await transaction(db, async (tx) => {
      const id = await signCampaign(tx, { me, actor }, body)
      return campaignJson(tx, house.settings.AGENCY_TIMEZONE, id)
    })
    return new JsonText(json)
  },

  update: async ({ db, me, house, actor, params, body }) => {
    const zone = house.settings.AGENCY_TIMEZONE
    const json = await transaction(db, async (tx) => {
      await changeCampaign(tx, { me, actor }, { id: params.id, zone, wanted: body })
      return campaignJson(tx, zone, params.id)
    })
    return new JsonText(json)
  },

  archive: async ({ db, me, house, actor, params }) => {
    const json = await db.transaction(async (tx) => {
      await moveToArchive(tx, { me, actor }, params.id, true)
      return campaignJson(tx, house.settings.AGENCY_TIMEZONE, params.id)
    })
    return new JsonText(json)
  },

  unarchive: async ({ db, me, house, actor, params }) => {
    const json = await db.transaction(async (tx) => {
      await moveToArchive(tx, { me, actor }, params.id, false)
      return campaignJson(tx, house.settings.AGENCY_TIMEZONE, params.id)
    })
    return new JsonText(json)
  },
})

function sendFile(
  call: Call<typeof contract.csv> | Call<typeof contract.archivedCsv>,
  name: string,
  archived: boolean,
) {
  const { me, house, query } = call
  const rows = campaignsQuery({ me, zone: house.settings.AGENCY_TIMEZONE, archived }, query)
  return sendCsv<Campaign>(call, { name, of: archived ? 'archived campaigns' : 'campaigns', rows, columns })
}
