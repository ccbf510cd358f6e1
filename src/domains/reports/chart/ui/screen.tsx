import { Suspense, useState } from 'react'
import { getToday } from '#contract/days.ts'
import { queryOneOf } from '#contract/fields.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { CycleForecast } from '#domains/insights/ui/public.ts'
import { sumNumbers } from '#domains/reports/weekly-report/total-calc.ts'
import { CampaignCategoriesFilter } from '#domains/reports/weekly-report/ui/CategoryFilter.tsx'
import { RunRateCell } from '#domains/reports/weekly-report/ui/LeftColumns.tsx'
import { PpcCell } from '#domains/reports/weekly-report/ui/StateCells.tsx'
import { listReportYears } from '#domains/reports/weekly-report/weeks.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { countCell, textCell } from '#ui/cells/cells.tsx'
import type { DateRangePreset } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useInAppLinks } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import { SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { FilterBar } from '#ui/filters/filters.tsx'
import { SmallSelect } from '#ui/filters/SmallSelect.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ExportButton } from '#ui/layout/ExportButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import { useFilters } from '#ui/table/useFilters.ts'
import { chartFilters, type LeadChart, leadChartContract, resolveChartRange } from '../contract.ts'
import classes from './Chart.module.css'
import { ChartDrawing } from './ChartDrawing.tsx'
import { ChartEvents } from './ChartEvents.tsx'
import { buildChartPoints, type ChartPoint, isChartOf, namePoint, seriesNames, seriesTitles } from './series.ts'

export default function LeadChartScreen() {
  const me = useCurrentUser()
  return me && <LeadChartView me={me} />
}

const chartScreenFilters = { ...chartFilters, type: queryOneOf(['line', 'bar']) }

function LeadChartView({ me }: { me: CurrentUserDto }) {
  const now = getToday(appConfig.timezone)
  const usual = resolveChartRange({}, now)
  const list = useFilters(chartScreenFilters, {
    group: 'week',
    type: 'bar',
    date_from: usual.from,
    date_to: usual.to,
  } as const)
  const { type, ...chartQuery } = list.filters
  const { campaign_id, ...query } = chartQuery
  const range = resolveChartRange(query, now)
  const {
    data: chart,
    error,
    isFetching,
    refetch,
  } = useApi(
    leadChartContract.usual,
    { params: { id: campaign_id ?? 'total' }, query },
    { keepPrevious: true, quiet: true },
  )
  const [withValues, setWithValues] = useState(false)
  const choices = useCampaignChoices({ keep: campaign_id === undefined ? [] : [campaign_id] })
  const name = choices.find(({ value }) => value === campaign_id)?.label
  const span = { group: chartQuery.group, ...range }
  const points = chart && isChartOf(chart, span) ? buildChartPoints(me, chart, span) : undefined

  return (
    <ScreenFrame
      title="Leads Chart"
      actions={<ExportButton call={leadChartContract.csv} input={{ body: chartQuery }} />}
    >
      <FilterBar list={list}>
        <SelectFilter
          label={campaign_id === undefined ? 'All campaigns' : 'Campaign'}
          choices={choices}
          {...list.filter('campaign_id')}
        />
        <SmallSelect
          label="Show by"
          value={chartQuery.group}
          choices={chartGroupChoices}
          choose={(group) => list.setFilters({ group })}
        />
        {campaignCategoriesContract.list.allow(me) && <CampaignCategoriesFilter at={list.filter('category_ids')} />}
        <DateRangeFilter
          label="Date Range"
          from={range.from}
          to={range.to}
          set={(from, to) => list.setFilters({ date_from: from, date_to: to })}
          presets={buildRangePresets(now)}
          changed={range.from !== usual.from || range.to !== usual.to}
        />
        <SmallSelect
          label="Chart type"
          value={type}
          choices={chartTypeChoices}
          choose={(next) => list.setFilters({ type: next })}
        />
      </FilterBar>
      {chart?.campaign && <CampaignProgressTable me={me} campaign={chart.campaign} name={name ?? 'Campaign'} />}
      {campaign_id !== undefined && chart?.campaign && (
        <Suspense>
          <CycleForecast key={campaign_id} campaign={{ id: campaign_id, name: name ?? 'Campaign' }} />
        </Suspense>
      )}
      {error && chart && <QueryOutdated what="These numbers" error={error} retry={refetch} />}
      <div className={classes.card} data-unbroken aria-busy={isFetching}>
        <div
          className={classes.progress}
          data-on={(isFetching && chart !== undefined) || undefined}
          aria-hidden="true"
        />
        <div className={classes.legend}>
          {seriesNames.map((series) => (
            <span key={series} className={classes.key} data-printed-colors data-series={series}>
              {seriesTitles[series]}{' '}
              <b>{points && sumNumbers(points.map((point) => point[series].number)).toLocaleString('en-US')}</b>
            </span>
          ))}
          <span className={classes.switch} data-unprinted>
            <CellSwitch label="Show values" on={withValues} set={setWithValues} />
            <span aria-hidden="true">Show values</span>
          </span>
        </div>
        {points && (
          <ChartDrawing
            points={points}
            type={type}
            height={Math.max(400, window.innerHeight - spaceAround)}
            label={`${name ?? 'All campaigns'}, by ${chartQuery.group}`}
            below={
              campaign_id === undefined
                ? undefined
                : (extent) => <ChartEvents campaignId={campaign_id} points={points} extent={extent} {...range} />
            }
          />
        )}
        {!points && !error && <div className={classes.waiting} role="status" aria-label="Loading" />}
        {!points && error && <QueryError what="This chart" error={error} retry={refetch} />}
        {points && withValues && (
          <ChartValuesTable points={points} head={chartQuery.group === 'week' ? 'Week' : 'Month'} />
        )}
      </div>
    </ScreenFrame>
  )
}

/** The height of what stands above and below the drawing, in pixels. */
const spaceAround = 264

const chartGroupChoices = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const
const chartTypeChoices = [
  { value: 'bar', label: 'Bar' },
  { value: 'line', label: 'Line' },
] as const

/** This year ends today. Other ranges are chosen in the calendar beside the presets. */
function buildRangePresets(now: string): DateRangePreset[] {
  const years = listReportYears(now).map((year, before) => ({
    label: year,
    from: `${year}-01-01`,
    to: before === 0 ? now : `${year}-12-31`,
  }))
  return [{ label: 'Last 12 months', ...resolveChartRange({}, now) }, ...years]
}

type CampaignProgressTableProps = { me: CurrentUserDto; campaign: NonNullable<LeadChart['campaign']>; name: string }

/** The campaign's progress in its cycle. The client, the target and the run rate are for admins. */
function CampaignProgressTable({ me, campaign, name }: CampaignProgressTableProps) {
  const cells = [
    ...(me.isAdmin ? [['Client', textCell(campaign.client?.name)] as const] : []),
    ['PPC', <PpcCell key="ppc" me={me} campaign={{ ...campaign, name }} />] as const,
    ...(me.isAdmin ? [['Target', countCell(campaign.leads_target)] as const] : []),
    ['Verified', countCell(campaign.current_leads)] as const,
    ['Missed', countCell(campaign.missed_leads)] as const,
    ['Days Left', campaign.days_left] as const,
    ...(me.isAdmin ? [['Run Rate', <RunRateCell key="rate" {...campaign} />] as const] : []),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls on a phone must be reachable by keyboard.
    <section className={`${arrange.standalone} ${classes.cycle}`} aria-label="This cycle" tabIndex={0}>
      <PlainTable
        aria-label={name}
        columns={cells.map(([title, cell]) => ({ title, cell: () => cell }))}
        rows={[campaign]}
        rowKey={() => name}
      />
    </section>
  )
}

/** The chart's numbers as a table. */
function ChartValuesTable({ points, head }: { points: readonly ChartPoint[]; head: string }) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  useInAppLinks(frame)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={setFrame} className={classes.values} aria-label="Values" tabIndex={0}>
      <PlainTable
        aria-label="Values"
        columns={[
          { title: head, isName: true, cell: namePoint },
          ...seriesNames.map((series) => ({
            title: seriesTitles[series],
            align: 'end' as const,
            cell: (point: ChartPoint) => <SeriesValue point={point} series={series} />,
          })),
        ]}
        rows={points}
        rowKey={({ date }) => date}
      />
    </section>
  )
}

function SeriesValue({ point, series }: { point: ChartPoint; series: (typeof seriesNames)[number] }) {
  const { number, address } = point[series]
  if (!address) return number
  return (
    <a href={address} aria-label={`${number} ${seriesTitles[series]}, ${namePoint(point)}`}>
      {number.toLocaleString('en-US')}
    </a>
  )
}
