import { useMemo } from 'react'
import { getToday } from '#contract/days.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { SavedViews, useCurrentUser, type ViewedList } from '#domains/access/ui/public.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { type CampaignHealth, campaignHealths, isStatusContradicted } from '#domains/insights/labels.ts'
import { ForecastScoreNote, useForecastTrust } from '#domains/insights/ui/public.ts'
import { callApi } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryEmpty, QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import { SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { CheckFilter, FilterBar } from '#ui/filters/filters.tsx'
import { SmallSelect } from '#ui/filters/SmallSelect.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ExportButton } from '#ui/layout/ExportButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useIsPhone } from '#ui/layout/useIsPhone.ts'
import {
  dropEmptyParams,
  formatSorting,
  getNextSorting,
  type ListSorting,
  parseSorting,
} from '#ui/table/list-address.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useFilters } from '#ui/table/useFilters.ts'
import type { FilterBinding } from '#ui/table/useList.ts'
import {
  type WeeklyReport,
  type WeeklyReportQuery,
  type WeeklyReportSort,
  weeklyReportContract,
  weeklyReportFilters,
  weeklyReportSorts,
} from '../contract.ts'
import { narrowReport } from '../total-calc.ts'
import { lastTwelveMonths, listReportYears } from '../weeks.ts'
import { CampaignCategoriesFilter } from './CategoryFilter.tsx'
import { WeekCards } from './WeekCards.tsx'
import { CampaignStateCounts, type SortControls } from './WeekHead.tsx'
import classes from './WeeklyReport.module.css'
import { WeekTable } from './WeekTable.tsx'

export default function WeeklyReportScreen() {
  const me = useCurrentUser()
  return me && <WeeklyReportView me={me} />
}

function WeeklyReportView({ me }: { me: CurrentUserDto }) {
  const list = useFilters(weeklyReportFilters, startFilters)
  const { isShown: isForecastShown } = useForecastTrust()
  // What needs a hand first.
  const defaultSorting = sortingsByWorst[!me.isAdmin ? 'others' : isForecastShown ? 'forecast' : 'runRate']
  const sorts = useWeeklyReportSorting(defaultSorting)
  const { trouble_state, health, client_id, manager, ...others } = list.filters
  const query: WeeklyReportQuery = { ...others, sort: sorts.sort, order: sorts.order }
  const {
    data: all,
    error,
    isFetching,
    refetch,
  } = useApi(weeklyReportContract.read, { query }, { keepPrevious: true, quiet: true })
  // Filtered here, so that the other campaigns can still be counted.
  const narrowing = { trouble_state, health, client_id, manager }
  const report = useMemo(
    () => all && narrowReport(all, { trouble_state, health, client_id, manager }, me.isAdmin),
    [all, trouble_state, health, client_id, manager, me.isAdmin],
  )
  const Numbers = useIsPhone() ? WeekCards : WeekTable
  const { value: archived, set: setArchived } = list.filter('archived')
  return (
    <ScreenFrame
      title="Leads Table"
      actions={<ExportButton call={weeklyReportContract.csv} input={{ body: { ...query, ...narrowing } }} />}
    >
      <FilterBar list={list}>
        <SmallSelect
          label="Year"
          value={list.filters.year}
          choices={buildYearChoices()}
          choose={(year) => list.setFilters({ year })}
        />
        {campaignCategoriesContract.list.allow(me) && <CampaignCategoriesFilter at={list.filter('category_ids')} />}
        {me.isAdmin && (
          <>
            <SelectFilter label="Client" choices={listClients(all)} {...list.filter('client_id')} />
            <SelectFilter label="Manager" choices={listManagers(all)} {...list.filter('manager')} />
          </>
        )}
        <CheckFilter
          label="With archived"
          name="archived"
          value={archived === '0' ? undefined : 1}
          set={(on, replace) => setArchived(on ? '1' : '0', replace)}
        />
      </FilterBar>
      <SavedViews
        table="leads-table"
        list={{ ...viewedList, defaults: defaultSorting }}
        total={report?.campaigns.length}
      />
      {(report || !error) && (
        <div className={`${classes.states} ${classes.colored}`}>
          <CampaignStateCounts report={all} at={list.filter('trouble_state')} />
          {isForecastShown && <CampaignHealthCounts report={all} at={list.filter('health')} sorts={sorts} />}
        </div>
      )}
      {error && report && <QueryOutdated what="These numbers" error={error} retry={refetch} />}
      {error && !report && (
        <div className={arrange.framed}>
          <QueryError what="This table" error={error} retry={refetch} />
        </div>
      )}
      {!report && !error && <div className={`${arrange.framed} ${classes.bones}`} role="status" aria-label="Loading" />}
      {report && report.campaigns.length > 0 && (
        <Numbers me={me} report={report} sorts={sorts} fetching={isFetching} withForecasts={isForecastShown} />
      )}
      {report && report.campaigns.length === 0 && (
        <div className={arrange.framed}>
          <QueryEmpty changed={list.changed} reset={list.reset} />
        </div>
      )}
      <ListFooter list={{ total: report?.campaigns.length }} totalLabel="Total Campaigns">
        {me.isAdmin && report && <ForecastScoreNote />}
      </ListFooter>
    </ScreenFrame>
  )
}

function listClients(report: WeeklyReport | undefined) {
  const clients = new Map(
    report?.campaigns.flatMap(({ client }) => (client ? [[client.id, client.name] as const] : [])),
  )
  return [...clients].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label))
}

function listManagers(report: WeeklyReport | undefined) {
  const managers = new Set(report?.campaigns.flatMap(({ manager }) => manager || []))
  return [...managers].sort().map((name) => ({ value: name, label: name }))
}

const buildYearChoices = () => [
  { value: lastTwelveMonths, label: 'Last 12 Month' },
  ...listReportYears(getToday(appConfig.timezone)).map((year) => ({ value: year, label: year })),
]

const startFilters = { archived: '0', year: lastTwelveMonths } as const
const sortingsByWorst = {
  forecast: { sort: 'chance', order: 'asc' },
  runRate: { sort: 'run_date', order: 'asc' },
  others: { sort: 'campaign', order: 'asc' },
} as const satisfies Record<string, ListSorting>

const viewedList: Omit<ViewedList, 'defaults'> = {
  filters: Object.keys(weeklyReportFilters),
  start: startFilters,
  sorts: weeklyReportSorts,
  count: async (query) => {
    const report = await callApi(weeklyReportContract.read, { query: weeklyReportContract.read.query.parse(query) })
    return report.campaigns.length
  },
}

function useWeeklyReportSorting(defaultSorting: ListSorting) {
  const [search, write] = useSearchParams()
  const now = parseSorting(search, weeklyReportSorts, defaultSorting)
  return {
    sort: now.sort as WeeklyReportSort, // one of them, or the default
    order: now.order,
    sortBy: (column: WeeklyReportSort) =>
      write((before) =>
        dropEmptyParams(
          { ...before, ...formatSorting(getNextSorting(column, now, defaultSorting), defaultSorting) },
          {},
        ),
      ),
  }
}

type HealthCountsProps = {
  report: WeeklyReport | undefined
  at: FilterBinding<CampaignHealth[] | undefined>
  sorts: SortControls<WeeklyReportSort>
}

/** The number of campaigns by health; pressing one filters by it. The last button sorts campaigns with a contradicted status first. */
function CampaignHealthCounts({ report, at, sorts }: HealthCountsProps) {
  const chosen = new Set(at.value)
  const toggle = (health: CampaignHealth) => {
    const next = campaignHealths.map(({ value }) => value).filter((value) => chosen.has(value) !== (value === health))
    at.set(next.length > 0 ? next : undefined)
  }
  const differing = report?.campaigns.filter(({ trouble_state, health }) =>
    isStatusContradicted(trouble_state, health ?? 'unknown'),
  )
  return (
    <ul aria-label="Campaigns by health">
      {campaignHealths.map(({ value, label }) => {
        const count = report?.campaigns.filter(({ health }) => health === value).length
        if (value === 'unknown' && !count && !chosen.has(value)) return null
        return (
          <li key={value} data-health={value}>
            <button type="button" aria-pressed={chosen.has(value)} onClick={() => toggle(value)}>
              {label} <b>{count ?? '…'}</b>
            </button>
          </li>
        )
      })}
      <li>
        <button type="button" aria-pressed={sorts.sort === 'health'} onClick={() => sorts.sortBy('health')}>
          Status disagrees <b>{differing?.length ?? '…'}</b>
        </button>
      </li>
    </ul>
  )
}
