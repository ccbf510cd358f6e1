import { getToday } from '#contract/days.ts'
import { implementContract } from '#domains/app-context.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { compareLeadsAround } from '../../why/server/change-effect.ts'
import { campaignEventsContract } from '../contract.ts'
import { readCampaignEvents } from './read-events.ts'

export const campaignEventsHandlers = implementContract(campaignEventsContract, {
  list: async ({ db, me, context, params, query }) => {
    const { id } = await requireCampaign(db, me, params.id)
    return readCampaignEvents(context, me, id, query)
  },

  effect: ({ me, context, params, query }) =>
    compareLeadsAround(context, me, {
      campaignId: params.id,
      day: query.day ?? getToday(context.settings.AGENCY_TIMEZONE),
    }),
})
