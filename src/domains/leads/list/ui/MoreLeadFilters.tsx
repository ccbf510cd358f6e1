import { formatMoney } from '#contract/money.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { LeadStatistic } from '#domains/leads/contract.ts'
import { checkFilterList, choiceFilterList } from '#domains/leads/filters.ts'
import { ratingFilterLabels, ratingFilters } from '#domains/leads/labels.ts'
import { SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { CheckFilter, FilterGroup, RadioFilter } from '#ui/filters/filters.tsx'
import type { LeadsList } from './useLeadsList.ts'

type MoreLeadFiltersProps = { me: CurrentUserDto; list: LeadsList; statistic: LeadStatistic | undefined }

const ratingFilterChoices = ratingFilters.map((value) => ({ value, label: ratingFilterLabels[value] }))

/** Radio groups and checkboxes, each with the count or sum of choosing it. */
export default function MoreLeadFilters({ me, list, statistic }: MoreLeadFiltersProps) {
  return (
    <>
      {choiceFilterList
        .filter(([, { forAdmins }]) => me.isAdmin || !forAdmins)
        .map(([name, { label, badge, values, labels }]) => (
          <RadioFilter
            key={name}
            label={label}
            {...list.filter(name)}
            choices={values.map((value) => ({
              value,
              label: labels?.[value] ?? value,
              badge: statistic?.[badge]?.[value],
            }))}
          />
        ))}
      <FilterGroup label="Only leads with">
        {checkFilterList.map(([name, { label, badge, sumOf }]) => (
          <CheckFilter
            key={name}
            label={label}
            badge={formatBadge(statistic?.[badge], sumOf !== undefined)}
            {...list.filter(name)}
          />
        ))}
        <SelectFilter label="Rated by" choices={ratingFilterChoices} {...list.filter('rating_via')} />
      </FilterGroup>
    </>
  )
}

const formatBadge = (number: number | null | undefined, isMoney: boolean) =>
  number === null || number === undefined ? undefined : isMoney ? formatMoney(number) : number
