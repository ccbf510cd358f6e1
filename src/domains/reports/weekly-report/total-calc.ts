import { troubleStates } from '#domains/campaigns/labels.ts'
import type { CampaignNarrowing, WeeklyReport, WeeklyReportCampaign, WeeklyReportTotals } from './contract.ts'

/**
 * Computes the totals above the table. The server returns them; the page recomputes them when a status or a switch changes, to update
 * at once. Averages skip nulls, and are null without values.
 */
export function computeReportTotals(
  campaigns: readonly WeeklyReportCampaign[],
  isForAdmins: boolean,
): WeeklyReportTotals {
  const ofStates = troubleStates.map(
    ({ value }) => [value, campaigns.filter(({ trouble_state }) => trouble_state === value).length] as const,
  )
  const ppc = campaigns.filter(({ is_ppc }) => is_ppc === 1).length
  return {
    ppc_count: ppc,
    ppc_percentage: toPercent(ppc, campaigns.length),
    verified_leads_count: sumNumbers(campaigns.map(({ current_leads }) => current_leads)),
    missed_leads_count: sumNumbers(campaigns.map(({ missed_leads }) => missed_leads)),
    trouble_states_counters: Object.fromEntries(ofStates),
    trouble_states_percentages: Object.fromEntries(
      ofStates.map(([state, count]) => [state, toPercent(count, campaigns.length)]),
    ),
    ...(isForAdmins && {
      unique_clients_count: new Set(campaigns.map(({ client }) => client?.id)).size,
      target_average: averageOfKnown(campaigns.map(({ leads_target }) => leads_target)),
      run_rate_average: averageOfKnown(campaigns.map(({ run_rate }) => run_rate)),
    }),
  }
}

/** Returns the table of the matching campaigns, with their totals. */
export function narrowReport(
  { campaigns, weeks }: Pick<WeeklyReport, 'campaigns' | 'weeks'>,
  { trouble_state: states = [], health: healths = [], client_id, manager }: CampaignNarrowing,
  isForAdmins: boolean,
): WeeklyReport {
  const shown = campaigns.filter(
    (campaign) =>
      (states.length === 0 || states.some((state) => state === campaign.trouble_state)) &&
      (healths.length === 0 || healths.some((health) => health === campaign.health)) &&
      (client_id === undefined || campaign.client?.id === client_id) &&
      (manager === undefined || campaign.manager === manager),
  )
  return {
    campaigns: shown,
    weeks,
    totals: weeks.map((month, index) => sumMonth(month, index, shown)),
    total_calc: computeReportTotals(shown, isForAdmins),
  }
}

type LeadCounts = { confirmed: number; missed: number }

function sumMonth(
  { month, year, count }: WeeklyReport['weeks'][number],
  index: number,
  shown: readonly WeeklyReportCampaign[],
) {
  const months = shown.map(({ leads }) => leads[index]!)
  return {
    month,
    year,
    ...addAverage(sumCounts(months), shown.length),
    weeks: Array.from({ length: count }, (_, week) =>
      addAverage(sumCounts(months.map((one) => one.weeks[week]!)), shown.length),
    ),
  }
}

export function sumCounts(cells: readonly LeadCounts[]): LeadCounts {
  let confirmed = 0
  let missed = 0
  for (const cell of cells) {
    confirmed += cell.confirmed
    missed += cell.missed
  }
  return { confirmed, missed }
}

const addAverage = (cell: LeadCounts, campaigns: number) => ({
  ...cell,
  avg_confirmed_for_campaign: campaigns === 0 ? null : Math.round((cell.confirmed * 100) / campaigns) / 100,
})

function averageOfKnown(numbers: readonly (number | null | undefined)[]): number | null {
  const known = numbers.filter((number) => number !== null && number !== undefined)
  return known.length === 0 ? null : roundToCents(sumNumbers(known) / known.length)
}
const toPercent = (part: number, whole: number) => (whole === 0 ? null : roundToCents((100 * part) / whole))
export const sumNumbers = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const roundToCents = (number: number) => Math.round(number * 100) / 100
