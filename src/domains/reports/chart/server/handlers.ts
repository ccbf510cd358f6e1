import { sql } from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { byteOrderMark, formatCsvLines } from '#core/csv/csv.ts'
import { readFromReplica } from '#core/db/replica-query.ts'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { countLeadsCombined } from '#domains/leads/public.ts'
import {
  type CampaignProgress,
  campaignProgressQuery,
  campaignScopeCondition,
  redactCampaignProgress,
} from '#domains/reports/weekly-report/server/campaign-progress.ts'
import { buildChartBuckets } from '../buckets.ts'
import {
  type ChartQuery,
  type LeadChart,
  leadChartContract,
  resolveChartRange,
  validateChartRange,
} from '../contract.ts'

export const leadChartHandlers = implementContract(leadChartContract, {
  read: (call) => readFromReplica(call.context, (db) => readLeadChart({ ...call, db }, call.body)),

  usual: (call) => {
    const { id } = call.params
    return readFromReplica(call.context, (db) =>
      readLeadChart({ ...call, db }, { ...call.query, campaign_id: id === 'total' ? undefined : id }),
    )
  },

  csv: async (call) => {
    const { db, me, actor, body, reply, context } = call
    const { statistic } = await readFromReplica(context, (there) => readLeadChart({ db: there, me, context }, body))
    const { dates, confirmed, missed } = statistic
    const after = { of: 'lead chart', rows: dates.length }
    await db.transaction((tx) => writeAudit(tx, actor, { kind: 'export', rowId: me.id, before: null, after }))
    const heads = [body.group === 'week' ? 'Week of' : 'Month of', 'Confirmed Leads', 'Missed Leads']
    const lines = dates.map((date, index) => [date, confirmed[index], missed[index]])
    reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${leadChartContract.csv.file}"`,
      })
      .send(byteOrderMark + formatCsvLines([heads, ...lines]))
  },
})

type ChartCall = Pick<EndpointCall<typeof leadChartContract.read>, 'db' | 'me' | 'context'>

async function readLeadChart({ db, me, context }: ChartCall, question: ChartQuery): Promise<LeadChart> {
  const zone = context.settings.AGENCY_TIMEZONE
  const { group, category_ids, campaign_id } = question
  const { from, to } = resolveChartRange(question, getToday(zone))
  const refusal = validateChartRange({ from, to })
  if (refusal) throw validationError({ date_from: [refusal] })
  const campaign = await readCampaignProgress({ db, me, context }, campaign_id)

  const scope = sql`select ${campaignsTable.id} from ${campaignsTable} where ${campaignScopeCondition(me, category_ids)}`
  const campaignScope = campaign_id === undefined ? scope : sql`${scope} and ${campaignsTable.id} = ${campaign_id}`
  const buckets = buildChartBuckets(group, from, to)
  const isNarrowed = campaign_id !== undefined || (category_ids?.length ?? 0) > 0
  const campaigns = isNarrowed || me.campaignIds !== null ? campaignScope : null
  const counted = await countLeadsCombined(db, me, { campaigns, buckets, zone })
  const narrowed = isNarrowed ? (await db.execute<{ id: number }>(sql`${campaignScope} order by id`)).rows : null
  const of = new Map(counted.map((found) => [found.bucket, found]))
  return {
    statistic: {
      dates: buckets.map(({ date }) => date),
      confirmed: buckets.map((_, bucket) => of.get(bucket)?.confirmed ?? 0),
      missed: buckets.map((_, bucket) => of.get(bucket)?.missed ?? 0),
    },
    campaign,
    campaign_ids: narrowed?.map(({ id }) => id) ?? null,
  }
}

/** An unknown campaign and one of another user get the same error. */
async function readCampaignProgress(
  { db, me, context }: ChartCall,
  id: number | undefined,
): Promise<LeadChart['campaign']> {
  if (id === undefined) return null
  const zone = context.settings.AGENCY_TIMEZONE
  const { rows } = await db.execute<CampaignProgress>(
    campaignProgressQuery({ me, zone, today: getToday(zone) }, { id }),
  )
  if (!rows[0]) throw notFoundError()
  const { name: _name, archived: _archived, trouble_state: _state, ...progress } = redactCampaignProgress(me, rows[0])
  return progress
}
