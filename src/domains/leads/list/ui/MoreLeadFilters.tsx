import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { LeadStatistic } from '#domains/leads/contract.ts'
import {
  answeringStatuses,
  type CheckFilterName,
  checkFilterLabels,
  leadTypes,
  progressLabels,
  trafficSources,
} from '#domains/leads/labels.ts'
import { formatMoney } from '#ui/cells/cells.tsx'
import { CheckFilter, RadioFilter } from '#ui/filters/filters.tsx'
import classes from './LeadFilters.module.css'
import type { LeadsList } from './useLeadsList.ts'

type MoreLeadFiltersProps = { me: CurrentUserDto; list: LeadsList; statistic: LeadStatistic | undefined }

const checkFilterNames = Object.keys(checkFilterLabels) as CheckFilterName[]
/** The filters in here. */
export const rareFilters = ['lead_type', 'answering_status', 'client_progress', 'source', ...checkFilterNames] as const

/** Radio groups and checkboxes, each with what choosing it would give. */
export function MoreLeadFilters({ me, list, statistic }: MoreLeadFiltersProps) {
  return (
    <>
      <RadioFilter
        label="Type"
        {...list.filter('lead_type')}
        choices={leadTypes.map((value) => ({ value, label: value, badge: statistic?.countByType[value] }))}
      />
      <RadioFilter
        label="Answering status"
        {...list.filter('answering_status')}
        choices={answeringStatuses.map((value) => ({
          value,
          label: value,
          badge: statistic?.countByAnsweringStatus[value],
        }))}
      />
      <RadioFilter
        label="Progress"
        {...list.filter('client_progress')}
        choices={progressChoices.map((choice) => ({
          ...choice,
          badge: statistic?.countByClientProgress[choice.value],
        }))}
      />
      {me.isAdmin && (
        <RadioFilter
          label="Source"
          {...list.filter('source')}
          choices={trafficSources.map((value) => ({ value, label: value, badge: statistic?.countBySource?.[value] }))}
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a wrapping row in every browser. */}
      <div className={classes.checks} role="group" aria-label="Only leads with">
        {checkFilterNames.map((name) => (
          <CheckFilter
            key={name}
            label={checkFilterLabels[name]}
            badge={statistic && checkFilterBadges[name](statistic)}
            {...list.filter(name)}
          />
        ))}
      </div>
    </>
  )
}

const progressChoices = (['1', '2', '3', '4', '5'] as const).map((value) => ({
  value,
  // Here alone it is called by its shorter name.
  label: value === '2' ? 'Progress' : progressLabels[value],
}))

const checkFilterBadges: Record<CheckFilterName, (statistic: LeadStatistic) => number | string | undefined> = {
  confirmed: (statistic) => statistic.confirmedCount,
  unmarked: (statistic) => statistic.unmarkedCount,
  first_call: (statistic) => statistic.firstCallCount,
  voicemail: (statistic) => statistic.voiceMailCount,
  voicemail_issues: (statistic) => statistic.voiceMailIssuesCount,
  value: (statistic) => formatMoney(statistic.totalValue),
  profit: (statistic) => formatMoney(statistic.totalProfit),
  won_value: (statistic) => formatMoney(statistic.totalWonValue),
  won_profit: (statistic) => formatMoney(statistic.totalWonProfit),
  rating: (statistic) => statistic.averageRating ?? undefined,
  no_feedback: (statistic) => statistic.noFeedbackCount,
  not_rated: (statistic) => statistic.notRatedCount,
}
