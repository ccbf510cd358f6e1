import { useState } from 'react'
import { today } from '#contract/days.ts'
import { queryOneOf } from '#contract/fields.ts'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import { campaignCategories } from '#domains/campaigns/categories/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/useCampaignChoices.ts'
import { Categories } from '#domains/reports/weekly-report/ui/CategoryFilter.tsx'
import { yearsUntil } from '#domains/reports/weekly-report/weeks.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import type { Range } from '#ui/cells/days.ts'
import { environment } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { Failed, Outdated } from '#ui/feedback/QueryStates.tsx'
import { SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { FilterBar } from '#ui/filters/filters.tsx'
import { SmallSelect } from '#ui/filters/SmallSelect.tsx'
import { ExportButton } from '#ui/layout/ExportButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useFilters } from '#ui/table/useFilters.ts'
import { chartFilters, leadChart, rangeOf } from '../contract.ts'
import { CampaignStanding } from './CampaignProgress.tsx'
import classes from './Chart.module.css'
import { Drawing } from './ChartDrawing.tsx'
import { Values } from './ChartValues.tsx'
import { bothSeries, pointsOf, seriesTitles } from './series.ts'

export default function LeadsChart() {
  const me = useMe()
  return me && <ChartScreen me={me} />
}

const shownAs = { ...chartFilters, type: queryOneOf(['line', 'bar']) }

function ChartScreen({ me }: { me: CurrentUser }) {
  const now = today(environment.timezone)
  const usual = rangeOf({}, now)
  const list = useFilters(shownAs, { group: 'week', type: 'bar', date_from: usual.from, date_to: usual.to } as const)
  const { type, ...asked } = list.filters
  const range = rangeOf(asked, now)
  const {
    data: chart,
    error,
    isFetching,
    refetch,
  } = useApi(leadChart.read, { body: asked }, { keepPrevious: true, quiet: true })
  const [withValues, setWithValues] = useState(false)
  const { campaign_id } = asked
  const choices = useCampaignChoices({ keep: campaign_id === undefined ? [] : [campaign_id] })
  const name = choices.find(({ value }) => value === campaign_id)?.label
  const points = chart && pointsOf(me, chart, { group: asked.group, ...range })

  return (
    <Screen title="Leads Chart" actions={<ExportButton call={leadChart.csv} input={{ body: asked }} />}>
      <FilterBar list={list}>
        <SelectFilter
          label={campaign_id === undefined ? 'All campaigns' : 'Campaign'}
          choices={choices}
          {...list.filter('campaign_id')}
        />
        <SmallSelect
          label="Show by"
          value={asked.group}
          choices={groupChoices}
          choose={(group) => list.setFilters({ group })}
        />
        {campaignCategories.list.allow(me) && <Categories at={list.filter('category_ids')} />}
        <DateRangeFilter
          label="Date Range"
          from={range.from}
          to={range.to}
          set={(from, to) => list.setFilters({ date_from: from, date_to: to })}
          presets={presetsAt(now)}
          changed={range.from !== usual.from || range.to !== usual.to}
        />
        <SmallSelect
          label="Chart type"
          value={type}
          choices={typeChoices}
          choose={(next) => list.setFilters({ type: next })}
        />
      </FilterBar>
      {chart?.campaign && <CampaignStanding me={me} campaign={chart.campaign} name={name ?? 'Campaign'} />}
      {error && chart && <Outdated what="These numbers" error={error} retry={refetch} />}
      <div className={classes.card} aria-busy={isFetching}>
        <div
          className={classes.progress}
          data-on={(isFetching && chart !== undefined) || undefined}
          aria-hidden="true"
        />
        <div className={classes.legend}>
          {bothSeries.map((series) => (
            <span key={series} className={classes.key} data-series={series}>
              {seriesTitles[series]} <b>{chart && sum(chart.statistic[series]).toLocaleString('en-US')}</b>
            </span>
          ))}
          <span className={classes.switch}>
            <CellSwitch label="Show values" on={withValues} set={setWithValues} />
            <span aria-hidden="true">Show values</span>
          </span>
        </div>
        {points && <Drawing points={points} type={type} label={`${name ?? 'All campaigns'}, by ${asked.group}`} />}
        {!points && !error && <div className={classes.waiting} role="status" aria-label="Loading" />}
        {!points && error && <Failed what="This chart" error={error} retry={refetch} />}
        {points && withValues && <Values points={points} head={asked.group === 'week' ? 'Week' : 'Month'} />}
      </div>
    </Screen>
  )
}

const groupChoices = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const
const typeChoices = [
  { value: 'bar', label: 'Bar' },
  { value: 'line', label: 'Line' },
] as const

/** This year ends today. Any other range is chosen in the calendar beside them. */
function presetsAt(now: string): Range[] {
  const years = yearsUntil(now).map((year, before) => ({
    label: year,
    from: `${year}-01-01`,
    to: before === 0 ? now : `${year}-12-31`,
  }))
  return [{ label: 'Last 12 months', ...rangeOf({}, now) }, ...years]
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
