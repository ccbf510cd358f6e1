import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { campaignCategories } from '#domains/campaigns/categories/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/useCampaignChoices.ts'
import { leadFilters, readableFields } from '#domains/leads/contract.ts'
import { tags } from '#domains/leads/labels.ts'
import { useApi } from '#ui/data/useApi.ts'
import { MultiSelectFilter, SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { CheckFilter, FilterBar, MoreFilters, SearchFilter } from '#ui/filters/filters.tsx'
import classes from './LeadFilters.module.css'
import { MoreLeadFilters, rareFilters } from './MoreLeadFilters.tsx'
import type { LeadsList, LeadsView } from './screen.tsx'

type Props = { me: CurrentUser; view: LeadsView; list: LeadsList }

/** Every way to narrow the list. On a phone they wait behind one button. */
export function LeadFilters({ me, view, list }: Props) {
  const [isOpen, setOpen] = useState(false)
  // The old numbers stay until the new ones are there.
  const { data: statistic } = useApi(view.statistic, { query: list.asked }, { keepPrevious: true })
  const set = howManySet(list)
  return (
    <div className={classes.filters} data-open={isOpen || undefined}>
      <button type="button" className={classes.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconFilter size={14} aria-hidden="true" />
        {set > 0 ? `Filters (${set})` : 'Filters'}
      </button>
      <FilterBar list={list}>
        <Dates list={list} />
        {me.isAdmin && campaignCategories.list.allow(me) && <Category list={list} />}
        <Campaigns list={list} />
        {readableFields(me).has('tags') && (
          <MultiSelectFilter label="Tags" choices={tagChoices} {...list.filter('tags')} />
        )}
        <SearchFilter label="Search" {...list.filter('lead_search')} />
        {/* Where chart and table lead to; nobody chooses them here. */}
        {list.isSet('missed') && <CheckFilter label="Missed leads" {...list.filter('missed')} />}
        {list.isSet('has_campaign') && <CheckFilter label="With a campaign" {...list.filter('has_campaign')} />}
        <MoreFilters set={rareFilters.filter(list.isSet).length}>
          <MoreLeadFilters me={me} list={list} statistic={statistic} />
        </MoreFilters>
      </FilterBar>
    </div>
  )
}

type OfList = Pick<Props, 'list'>

/** Two dates are one range. */
function howManySet({ isSet }: LeadsList): number {
  const names = (Object.keys(leadFilters) as (keyof typeof leadFilters)[]).filter(isSet)
  return new Set(names.map((name) => (name === 'date_to' ? 'date_from' : name))).size
}

function Dates({ list }: OfList) {
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

function Category({ list }: OfList) {
  const { data = [] } = useApi(campaignCategories.list, { query: { nopag: 1 } })
  const choices = data.map(({ id, name, color }) => ({ value: id, label: name, color }))
  return <SelectFilter label="Category" choices={choices} {...list.filter('category_id')} />
}

/** Archived campaigns are not offered; one that an address names is shown by its name all the same. */
function Campaigns({ list }: OfList) {
  const choices = useCampaignChoices({ keep: list.filters.campaign_ids ?? [] })
  return <MultiSelectFilter label="Campaigns" choices={choices} {...list.filter('campaign_ids')} />
}

const tagChoices = tags.map((tag) => ({ value: tag, label: tag }))
