import { countOf } from '#contract/count-of.ts'
import type { BriefForecast, CampaignForecast, ChangeEffect } from '../contract.ts'
import { formatChance } from '../labels.ts'

// `negative`: what is rounded to zero has no sign.
const wholeNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'negative' })
const shortNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, signDisplay: 'negative' })
/** Formats computed leads as whole numbers, because fractions of a lead mean nothing. */
export const formatLeads = (leads: number) => wholeNumber.format(leads)
/** Formats a computed rate. */
export const formatRate = (value: number) => (value >= 10 ? wholeNumber : shortNumber).format(value)
/** Formats the ends of a range: `35–71`, or a single number where both are written alike. */
const formatRange = ({ low, high }: { low: number; high: number }) =>
  [...new Set([low, high].map(formatLeads))].join('–')
/** Formats a range with its noun: `3–7 leads`, `1 lead`. */
export const formatLeadRange = (range: { low: number; high: number }) => {
  const leads = formatRange(range)
  return `${leads} ${leads === '1' ? 'lead' : 'leads'}`
}
/** Describes the leads of a time: `1 lead in 28 days`. */
export const describePeriod = ({ leads, days }: Pick<ChangeEffect['before'], 'leads' | 'days'>) =>
  `${countOf(leads, 'lead')} in ${countOf(days, 'day')}`
/** Formats a forecast with its range: `52 (35–71)`, or a single number where nothing else is likely. */
export const formatForecast = ({ expected, low, high }: Pick<BriefForecast, 'expected' | 'low' | 'high'>) => {
  const [about, range] = [formatLeads(expected), formatRange({ low, high })]
  return about === range ? about : `${about} (${range})`
}

/** Describes the forecast, with the range of its number and the chance. */
export function describeForecast(forecast: BriefForecast, target: number | null): string {
  const { high, chance } = forecast
  const outcome =
    high === 0 ? 'Probably no verified leads this cycle.' : `On track for about ${formatForecast(forecast)}.`
  if (chance === null || target === null) return outcome
  return `${outcome} ${formatChance(chance).replace(/^[uo]/, (first) => first.toUpperCase())} chance to reach ${formatLeads(target)}.`
}

/** Describes how many cases the forecast is based on. */
export function describeCases({ basis, cases }: Pick<CampaignForecast, 'basis' | 'cases'>): string {
  const count = countOf(Math.round(cases), 'lead')
  return basis === 'campaign'
    ? `Based on this campaign’s last ${Math.round(cases) === 1 ? 'lead' : count}`
    : `Based on its category: this campaign has too few leads of its own (${count})`
}
