import type { ReactNode } from 'react'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import facts from '#ui/layout/facts.module.css'
import text from '#ui/theme/text.module.css'
import { type CampaignForecast, insightsContract } from '../contract.ts'
import { describeReliability } from '../labels.ts'
import { describeCases, describeForecast, formatLeads, formatRate } from './forecast-words.ts'
import classes from './Insights.module.css'

/**
 * A campaign's forecast in words: the expected result with its range, the gap to the target, and its reliability. `children` come with it: a
 * button below what is still loading would move away under the pointer.
 */
export function ForecastSummary({ campaignId, children }: { campaignId: number; children: ReactNode }) {
  const { data, error, refetch } = useApi(
    insightsContract.forecast,
    { params: { id: campaignId }, query: {} },
    { quiet: true },
  )
  if (!data && !error) return <div className={classes.bone} role="status" aria-label="Loading" />
  return (
    <>
      {data ? (
        <ForecastFacts forecast={data}>{`${describeReliability(data.reliability)}.`}</ForecastFacts>
      ) : (
        <QueryError what="This forecast" error={error} retry={refetch} />
      )}
      {children}
    </>
  )
}

/** Shows a loaded forecast; `children` shows its reliability. */
export function ForecastFacts({ forecast, children }: { forecast: CampaignForecast; children?: ReactNode }) {
  const { target, verified, pending, needed_per_working_day, days_left } = forecast
  return (
    <div className={classes.facts}>
      <p className={text.medium}>{describeForecast(forecast, target)}</p>
      <dl className={`${facts.facts} ${text.numbers}`}>
        <Fact name="Target">{target === null ? 'None' : formatLeads(target)}</Fact>
        <Fact name="Verified">{formatLeads(verified)}</Fact>
        <Fact name="To review">{formatLeads(pending)}</Fact>
        <Fact name="Days left">{days_left}</Fact>
        {needed_per_working_day !== null && <Fact name="Needed per workday">{formatRate(needed_per_working_day)}</Fact>}
      </dl>
      <p className={text.small}>
        {describeCases(forecast)}. {children}
      </p>
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
