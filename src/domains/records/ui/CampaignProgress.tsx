import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { type CampaignForecast, insightsContract } from '#domains/insights/contract.ts'
import { describeReliability, formatChance } from '#domains/insights/labels.ts'
import { describeCases, formatRate, WhyButton } from '#domains/insights/ui/public.ts'
import type { LeadChart } from '#domains/reports/chart/contract.ts'
import { countCell, dateCell, textCell } from '#ui/cells/cells.tsx'
import type { ApiError } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { CampaignRecord } from '../contract.ts'
import { FactList, RecordSection, SectionState } from './RecordPage.tsx'

type CampaignProgressProps = {
  me: CurrentUserDto
  campaign: CampaignRecord
  chart: UseQueryResult<LeadChart, ApiError>
}

/** The campaign's progress in its cycle, with the target and the forecast for users who read targets. */
export function CampaignProgress({ me, campaign: { id, name, contract }, chart }: CampaignProgressProps) {
  const readsForecast = insightsContract.forecast.allow(me)
  const forecast = useApi(insightsContract.forecast, { params: { id } }, { enabled: readsForecast, quiet: true })
  const cycle = chart.data?.campaign
  const now = forecast.data
  if (!readsForecast && !cycle && !chart.isFetching && !chart.error) return null
  const waiting = (readsForecast && !now) || (chart.isFetching && !cycle)
  // Keeps the places of what the forecast says while it is computed, so that nothing moves.
  const isComing = readsForecast && !now && !forecast.error && cycle !== undefined
  const say = (tell: (forecast: CampaignForecast) => ReactNode) => (now ? tell(now) : textCell(null))
  return (
    <RecordSection title="Where it stands">
      {waiting && !cycle && !now && <SectionState what="Where it stands" query={readsForecast ? forecast : chart} />}
      <FactList
        facts={[
          ...(now || isComing ? ([['Target', say(({ target }) => countCell(target))]] as const) : []),
          ...(cycle || now ? ([['Verified', countCell(cycle?.current_leads ?? now?.verified)]] as const) : []),
          ...(cycle ? ([['Missed', countCell(cycle.missed_leads)]] as const) : []),
          ...(now || isComing
            ? ([
                ['Waiting for a verdict', say(({ pending }) => countCell(pending))],
                ['Chance of the target', say(describeChance)],
                ['Expected at the end', say(describeRange)],
                ['Needed per working day', say(describeNeeded)],
              ] as const)
            : []),
          ...(cycle || now ? ([['Days left', countCell(cycle?.days_left ?? now?.days_left)]] as const) : []),
          ...(contract
            ? ([
                ['Start date', dateCell(contract.start_date)],
                ['Due date', countCell(contract.due_date)],
              ] as const)
            : []),
        ]}
      />
      {now && <p>{describeBasis(now)}</p>}
      {now && now.target !== null && <WhyButton campaign={{ id, name }} />}
      {readsForecast && forecast.error && !now && cycle && <SectionState what="The forecast" query={forecast} />}
    </RecordSection>
  )
}

/** A forecast that does not beat the run rate here is not shown. */
const isUnproven = ({ reliability }: CampaignForecast) => reliability !== null && !reliability.beats_run_rate

const describeNeeded = ({ needed_per_working_day: needed }: CampaignForecast) =>
  textCell(needed === null ? null : formatRate(needed))

function describeChance(now: CampaignForecast) {
  const { chance } = now
  if (chance === null) return textCell(null)
  if (isUnproven(now)) return 'Not shown'
  return formatChance(chance)
}

const describeRange = (now: CampaignForecast) =>
  isUnproven(now) ? 'Not shown' : `${Math.round(now.expected)}, 80% range ${now.low} to ${now.high}`

const describeBasis = (now: CampaignForecast) =>
  `${describeCases(now)}. ${describeReliability(now.reliability)}${isUnproven(now) ? ', so the forecast is not shown' : ''}.`
