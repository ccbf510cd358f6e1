import { implementContract } from '#domains/app-context.ts'
import { handoverContract } from '#domains/campaigns/handover/contract.ts'
import { clientRecordContract } from '../client-contract.ts'
import { recordsContract } from '../contract.ts'
import { readCampaignRecord } from './campaign-record.ts'
import { readClientRecord } from './client-record.ts'
import { readHandover } from './handover.ts'

export const recordsHandlers = [
  ...implementContract(recordsContract, {
    campaign: ({ db, me, params }) => readCampaignRecord(db, me, params.id),
  }),
  ...implementContract(handoverContract, {
    read: ({ db, me, params, context }) => readHandover(db, me, params.id, context),
  }),
  ...implementContract(clientRecordContract, {
    read: ({ db, me, params, context }) => readClientRecord(db, me, params.id, context.settings.AGENCY_TIMEZONE),
  }),
]
