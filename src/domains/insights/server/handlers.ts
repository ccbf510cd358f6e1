import { eq } from 'drizzle-orm'
import { implementContract } from '#domains/app-context.ts'
import { currentTargetSql, requireCampaign } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { insightsContract } from '../contract.ts'
import { readChangeEffect } from '../why/server/change-effect.ts'
import { readCauses, resolveWhyDays } from '../why/server/why-calls.ts'
import { readForecastScore } from './forecast-score.ts'
import { readCampaignForecast, toForecastMoment } from './forecasts.ts'

export const insightsHandlers = implementContract(insightsContract, {
  forecast: async ({ db, me, context, params, query }) => {
    const { id, schedule, start_date, ...stored } = await requireCampaign(db, me, params.id)
    const due_date = query.due_date ?? stored.due_date
    const timeZone = context.settings.AGENCY_TIMEZONE
    const [current] = await db
      .select({ target: currentTargetSql(timeZone) })
      .from(campaignsTable)
      .where(eq(campaignsTable.id, id))
    const target = query.target ?? current?.target ?? null
    const moment = toForecastMoment(query.asOf, timeZone)
    return readCampaignForecast(context, { id, due_date, schedule, start_date, target }, moment, me.campaignIds)
  },

  score: ({ me, context }) => readForecastScore(context, me.campaignIds),

  why: async ({ db, me, context, params, query }) => {
    const { id } = await requireCampaign(db, me, params.id)
    return readCauses(context, id, resolveWhyDays(query, context.settings.AGENCY_TIMEZONE), me.permissions)
  },

  effect: ({ me, context, params }) => readChangeEffect(context, me, params.id),
})
