import { implementContract } from '#domains/app-context.ts'
import { recordsContract } from '../contract.ts'
import { readCampaignRecord } from './campaign-record.ts'
import { readClientRecord } from './client-record.ts'

export const recordsHandlers = implementContract(recordsContract, {
  campaign: ({ db, me, params }) => readCampaignRecord(db, me, params.id),
  client: ({ db, me, params }) => readClientRecord(db, me, params.id),
})
