import { countOf } from '#contract/count-of.ts'
import { formatBriefMoney } from '#contract/money.ts'
import { timezoneLabels } from '#domains/clients/labels.ts'
import { formatSchedule } from '../../hours/ui/weekdays.ts'
import { termsKindTitles } from '../../terms/labels.ts'
import type { CampaignTemplate } from '../template.ts'

/** Describes a part in a line; null if it is not set. */
export function describePart(
  { hours = null, targets = null, terms = null, manager = null }: Partial<CampaignTemplate>,
  name: keyof CampaignTemplate,
): string | null {
  switch (name) {
    case 'hours':
      return hours && `${formatSchedule(hours.schedule)}. ${timezoneLabels[hours.timezone] ?? hours.timezone}`
    case 'targets':
      return targets && describeTargets(targets)
    case 'terms':
      return terms?.map(describeTerms).join('; ') ?? null
    case 'manager':
      return manager
  }
}

const describeTargets = ({ initial_target, ...later }: NonNullable<CampaignTemplate['targets']>) =>
  [
    `${countOf(initial_target, 'lead')} a month`,
    ...Object.entries(later).flatMap(([name, leads]) =>
      leads === null ? [] : [`${leads} from month ${name.split('_')[1]}`],
    ),
  ].join(', ')

function describeTerms(terms: NonNullable<CampaignTemplate['terms']>[number]): string {
  const { kind, fee, prices, included, cap, dispute_days } = terms
  return [
    termsKindTitles[kind],
    ...(kind === 'per_lead' ? [] : [formatBriefMoney(fee)]),
    ...(kind === 'flat_plus' ? [`${included} included`] : []),
    ...(kind === 'flat' ? [] : [`${formatBriefMoney(prices.Form)} a form, ${formatBriefMoney(prices.Call)} a call`]),
    ...(cap === null ? [] : [`at most ${formatBriefMoney(cap)} a cycle`]),
    `${countOf(dispute_days, 'day')} dispute window`,
  ].join(', ')
}
