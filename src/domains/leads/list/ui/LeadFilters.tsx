import { Suspense, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { useLoadedCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { getReadableFields, type leadFilters } from '#domains/leads/contract.ts'
import { checkFilterList, choiceFilterList } from '#domains/leads/filters.ts'
import { leadTags, ratingFilterLabels } from '#domains/leads/labels.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useAfterPaint } from '#ui/data/useAfterPaint.ts'
import { useApi } from '#ui/data/useApi.ts'
import { MultiSelectFilter, SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { CheckFilter, FilterBar, FilterChip, MoreFilters, SearchFilter } from '#ui/filters/filters.tsx'
import type { LeadsList, LeadsView } from './useLeadsList.ts'

const MoreLeadFilters = lazyComponent(() => import('./MoreLeadFilters.tsx'))

type LeadFiltersProps = { me: CurrentUserDto; view: LeadsView; list: LeadsList }

/** The filters of the list. */
export function LeadFilterBar({ me, view, list }: LeadFiltersProps) {
  // Keeps the old numbers until the new ones arrive.
  const { data: statistic } = useApi(view.statistic, { query: list.sent }, { keepPrevious: true, early: true })
  return (
    <FilterBar list={list}>
      <DateFilter list={list} />
      {me.isAdmin && campaignCategoriesContract.list.allow(me) && <CategoryFilter list={list} />}
      <CampaignsFilter list={list} />
      {getReadableFields(me).has('tags') && (
        <MultiSelectFilter label="Tags" choices={tagChoices} {...list.filter('tags')} />
      )}
      <SearchFilter label="Search" {...list.filter('lead_search')} />
      {/* Set by links from chart and table, and only shown then. */}
      {list.isSet('missed') && <CheckFilter label="Missed leads" {...list.filter('missed')} />}
      {list.isSet('has_campaign') && <CheckFilter label="With a campaign" {...list.filter('has_campaign')} />}
      {list.isSet('no_campaign') && <CheckFilter label="Without a campaign" {...list.filter('no_campaign')} />}
      <MoreFilters chips={buildRareFilterChips(list)}>
        <Suspense>
          <MoreLeadFilters me={me} list={list} statistic={statistic} />
        </Suspense>
      </MoreFilters>
    </FilterBar>
  )
}

/** The set filters of that panel, by name and value. */
function buildRareFilterChips({ filters, setFilters }: LeadsList) {
  const chip = (name: keyof typeof leadFilters, text: string | undefined) =>
    filters[name] === undefined
      ? []
      : [<FilterChip key={name} text={text ?? ''} clear={() => setFilters({ [name]: undefined })} />]
  return [
    ...choiceFilterList.flatMap(([name, { label, labels }]) => {
      const value = filters[name]
      return value === undefined ? [] : chip(name, `${label}: ${labels?.[value] ?? value}`)
    }),
    ...checkFilterList.flatMap(([name, { label }]) => chip(name, label)),
    ...chip('rating_via', filters.rating_via && `Rated by: ${ratingFilterLabels[filters.rating_via]}`),
  ]
}

type ListProps = Pick<LeadFiltersProps, 'list'>

function DateFilter({ list }: ListProps) {
  return (
    <DateRangeFilter
      label="Date Range"
      from={list.filters.date_from}
      to={list.filters.date_to}
      set={(from, to) => list.setFilters({ date_from: from, date_to: to })}
      changed={list.isSet('date_from') || list.isSet('date_to')}
    />
  )
}

/**
 * Whether the choices of a filter are needed: to show the name of a chosen one, after the rows, which come first; or because the
 * pointer or the focus is on it. Most openings of the list load none.
 */
function useChoicesNeeded(list: LeadsList, isSet: boolean): [boolean, () => void] {
  const isPainted = useAfterPaint(list.rows !== undefined)
  const [isNear, setNear] = useState(false)
  return [isNear || (isPainted && isSet), () => setNear(true)]
}

function CategoryFilter({ list }: ListProps) {
  const [enabled, onNear] = useChoicesNeeded(list, list.isSet('category_id'))
  const { data } = useApi(campaignCategoriesContract.list, { query: { nopag: 1 } }, { enabled })
  const choices = data?.map(({ id, name, color }) => ({ value: id, label: name, color }))
  return <SelectFilter label="Category" choices={choices} onNear={onNear} {...list.filter('category_id')} />
}

/** Does not offer archived campaigns, but shows the name of one in the URL. */
function CampaignsFilter({ list }: ListProps) {
  const [enabled, onNear] = useChoicesNeeded(list, list.isSet('campaign_ids'))
  const choices = useLoadedCampaignChoices({ keep: list.filters.campaign_ids ?? [], enabled })
  return <MultiSelectFilter label="Campaigns" choices={choices} onNear={onNear} {...list.filter('campaign_ids')} />
}

const tagChoices = leadTags.map((tag) => ({ value: tag, label: tag }))
