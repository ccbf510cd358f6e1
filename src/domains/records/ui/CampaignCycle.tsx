import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { daysBetween } from '#contract/days.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { type CampaignForecast, insightsContract } from '#domains/insights/contract.ts'
import { describeReliability, formatChance } from '#domains/insights/labels.ts'
import { describeCases, formatForecast, formatRate } from '#domains/insights/ui/public.ts'
import type { LeadChart } from '#domains/reports/chart/contract.ts'
import { countCell, textCell } from '#ui/cells/cells.tsx'
import { getToday } from '#ui/cells/days.ts'
import type { ApiError } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { SkeletonLines } from '#ui/feedback/Skeleton.tsx'
import text from '#ui/theme/text.module.css'
import type { CampaignRecord } from '../contract.ts'
import classes from './CampaignPage.module.css'
import { describeUnseen, useOpenSignals } from './campaign-signals.ts'
import { FactList, RecordSection, SectionState } from './RecordPage.tsx'

type CampaignCycleProps = {
  me: CurrentUserDto
  campaign: CampaignRecord
  chart: UseQueryResult<LeadChart, ApiError>
}

/** The cycle that runs as a bar, with the target and the forecast for users who read targets. */
export function CampaignCycle({ me, campaign: { id }, chart }: CampaignCycleProps) {
  const readsForecast = insightsContract.forecast.allow(me)
  const query = useApi(insightsContract.forecast, { params: { id } }, { enabled: readsForecast, quiet: true })
  const { signals } = useOpenSignals(me, id)
  const cycle = chart.data?.campaign
  const now = query.data
  if (!readsForecast && !cycle && !chart.isFetching && !chart.error) return null
  const isLoading = !now && !cycle && (readsForecast ? !query.error : chart.isFetching)
  // Keeps the places of what is computed, so that nothing moves.
  const isComing = readsForecast && !now && !query.error
  const tell = (show: (forecast: CampaignForecast) => ReactNode) => (now ? show(now) : comingValue)
  const unseen = now && !isUnproven(now) ? describeUnseen(signals ?? []) : null
  return (
    <RecordSection title="This cycle" aside={now && <span className={text.small}>{describeDay(now)}</span>}>
      {now && <CycleBar forecast={now} />}
      {isComing && <span className={classes.coming} role="status" aria-label="Loading the forecast" />}
      <FactList
        facts={[
          ['Verified', isLoading ? comingValue : countCell(cycle?.current_leads ?? now?.verified)],
          ...(now || isComing
            ? ([
                ['Target', tell(({ target }) => countCell(target))],
                ['Forecast', tell(describeRange)],
                ['Chance to hit target', tell(describeChance)],
                ['To review', tell(({ pending }) => countCell(pending))],
              ] as const)
            : []),
          ...(cycle || chart.isLoading
            ? ([['Missed', cycle ? countCell(cycle.missed_leads) : comingValue]] as const)
            : []),
          ...(now || isComing ? ([['Needed per workday', tell(describeNeeded)]] as const) : []),
          ['Days left', isLoading ? comingValue : countCell(cycle?.days_left ?? now?.days_left)],
        ]}
      />
      {unseen && <p className={classes.unseen}>{unseen}</p>}
      {(now || isComing) && <p className={text.smaller}>{now ? describeBasis(now) : '\u00a0'}</p>}
      {query.error && !now && cycle && <SectionState what="The forecast" query={query} />}
    </RecordSection>
  )
}

const comingValue = <SkeletonLines widths={['40%']} />

/** Verified leads as a bar, the forecast as a mark with its range, the target as a line. The numbers stand below. */
function CycleBar({ forecast }: { forecast: CampaignForecast }) {
  const { verified, expected, low, high, target } = forecast
  const isShown = !isUnproven(forecast)
  const most = Math.max(1, verified, target ?? 0, isShown ? high : 0) * 1.04
  const at = (leads: number) => `${(100 * leads) / most}%`
  return (
    <div className={classes.bar} aria-hidden="true" data-printed-colors>
      {isShown && <span className={classes.range} style={{ left: at(low), width: at(high - low) }} />}
      <span className={classes.verified} style={{ width: at(verified) }} />
      {isShown && <span className={classes.expected} style={{ left: at(expected) }} />}
      {target !== null && target > 0 && <span className={classes.target} style={{ left: at(target) }} />}
    </div>
  )
}

const describeDay = ({ cycle: { from, to } }: CampaignForecast) =>
  `Day ${daysBetween(from, getToday(appConfig.timezone)) + 1} of ${daysBetween(from, to) + 1}`

/** A forecast that does not beat the run rate here is not shown. */
const isUnproven = ({ reliability }: CampaignForecast) => reliability !== null && !reliability.beats_run_rate

const describeNeeded = ({ needed_per_working_day: needed }: CampaignForecast) =>
  textCell(needed === null ? null : formatRate(needed))

function describeChance(now: CampaignForecast) {
  const { chance } = now
  if (chance === null) return textCell(null)
  return isUnproven(now) ? 'Not shown' : formatChance(chance)
}

const describeRange = (now: CampaignForecast) => (isUnproven(now) ? 'Not shown' : formatForecast(now))

const describeBasis = (now: CampaignForecast) =>
  `${describeCases(now)}. ${describeReliability(now.reliability)}${isUnproven(now) ? ', so the forecast is not shown' : ''}.`
