import { sql } from 'drizzle-orm'
import { today } from '#contract/days.ts'
import { record } from '#core/audit/write-audit.ts'
import { byteOrderMark, csvLines } from '#core/csv/csv.ts'
import { report } from '#core/db/replica-query.ts'
import { invalid, notFound } from '#core/http/errors.ts'
import { type Call, implement } from '#core/http/handle.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { countedTogether } from '#domains/reports/counted-weeks/server/counted-leads.ts'
import { inScope, type Standing, seenBy, standings } from '#domains/reports/weekly-report/server/campaign-progress.ts'
import { bucketsOf } from '../buckets.ts'
import { type Chart, type ChartQuestion, leadChart as contract, rangeOf, refusalOf } from '../contract.ts'

export const leadChartCalls = implement(contract, {
  read: (call) => report(call.house, (db) => chart({ ...call, db }, call.body)),

  usual: (call) => {
    const { id } = call.params
    return report(call.house, (db) =>
      chart({ ...call, db }, { group: 'week', campaign_id: id === 'total' ? undefined : id }),
    )
  },

  csv: async (call) => {
    const { db, me, actor, body, reply, house } = call
    const { statistic } = await report(house, (there) => chart({ db: there, me, house }, body))
    const { dates, confirmed, missed } = statistic
    const after = { of: 'lead chart', rows: dates.length }
    await db.transaction((tx) => record(tx, actor, { kind: 'export', rowId: me.id, before: null, after }))
    const heads = [body.group === 'week' ? 'Week of' : 'Month of', 'Confirmed Leads', 'Missed Leads']
    const lines = dates.map((date, index) => [date, confirmed[index], missed[index]])
    reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${contract.csv.file}"`,
      })
      .send(byteOrderMark + csvLines([heads, ...lines]))
    return undefined
  },
})

type Asked = Pick<Call<typeof contract.read>, 'db' | 'me' | 'house'>

async function chart({ db, me, house }: Asked, question: ChartQuestion): Promise<Chart> {
  const zone = house.settings.AGENCY_TIMEZONE
  const { group, category_ids, campaign_id } = question
  const { from, to } = rangeOf(question, today(zone))
  const refusal = refusalOf({ from, to })
  if (refusal) throw invalid({ date_from: [refusal] })
  const campaign = await standingOf({ db, me, house }, campaign_id)

  const scope = sql`select ${campaigns.id} from ${campaigns} where ${inScope(me, category_ids)}`
  const asked = campaign_id === undefined ? scope : sql`${scope} and ${campaigns.id} = ${campaign_id}`
  const buckets = bucketsOf(group, from, to)
  const counted = await countedTogether(db, me, {
    campaigns: asked,
    buckets,
    zone,
  })
  const isNarrowed = campaign_id !== undefined || (category_ids?.length ?? 0) > 0
  const narrowed = isNarrowed ? (await db.execute<{ id: number }>(sql`${asked} order by id`)).rows : null
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

/** No such campaign, and one that is not theirs: the same words for both. */
async function standingOf({ db, me, house }: Asked, id: number | undefined): Promise<Chart['campaign']> {
  if (id === undefined) return null
  const zone = house.settings.AGENCY_TIMEZONE
  const { rows } = await db.execute<Standing>(standings({ me, zone, today: today(zone) }, { id }))
  if (!rows[0]) throw notFound()
  const { name: _name, archived: _archived, trouble_state: _state, ...standing } = seenBy(me, rows[0])
  return standing
}
