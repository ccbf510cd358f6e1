import type { BriefForecast, CampaignForecast } from '../contract.ts'
import { formatChance } from '../labels.ts'

const wholeNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const shortNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
/** Formats computed leads as whole numbers, because fractions of a lead mean nothing. */
export const formatLeads = (leads: number) => wholeNumber.format(leads)
/** Formats a computed rate. */
export const formatRate = (value: number) => (value >= 10 ? wholeNumber : shortNumber).format(value)
export const formatRange = ({ low, high }: { low: number; high: number }) =>
  low === high ? formatLeads(low) : `${formatLeads(low)} to ${formatLeads(high)}`

/** Describes the forecast in one sentence, with the range of its number. */
export function describeForecast({ expected, low, high, chance }: BriefForecast, target: number | null): string {
  const outcome =
    high === 0
      ? 'Probably no verified lead by the end of the cycle'
      : `About ${formatLeads(expected)} verified leads by the end of the cycle (${formatRange({ low, high })} in 8 of 10 cases)`
  return chance === null || target === null
    ? `${outcome}.`
    : `${outcome}; the chance of ${target} or more is ${formatChance(chance)}.`
}

/** Describes how many cases the forecast is based on. */
export function describeCases({ basis, cases }: Pick<CampaignForecast, 'basis' | 'cases'>): string {
  const count = `${formatLeads(cases)} ${Math.round(cases) === 1 ? 'lead' : 'leads'}`
  return basis === 'campaign'
    ? `Rests on ${count} of this campaign, older ones counting less`
    : `Rests on its category: this campaign has too few leads of its own (${count})`
}
