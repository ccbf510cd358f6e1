import { getToday } from '#contract/days.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { appConfig } from '#ui/data/environment.ts'
import { type LeadChart, resolveChartRange } from '../contract.ts'
import classes from './Chart.module.css'
import { ChartDrawing } from './ChartDrawing.tsx'
import { ChartEvents } from './ChartEvents.tsx'
import { buildChartPoints, seriesNames, seriesTitles } from './series.ts'

type CampaignChartProps = { me: CurrentUserDto; chart: LeadChart; campaign: { id: number; name: string } }

/** The last 12 months of a campaign by week, with its events underneath. */
export default function CampaignChart({ me, chart, campaign }: CampaignChartProps) {
  const range = resolveChartRange({}, getToday(appConfig.timezone))
  const points = buildChartPoints(me, chart, { group: 'week', ...range })
  return (
    <>
      <div className={classes.legend}>
        {seriesNames.map((series) => (
          <span key={series} className={classes.key} data-printed-colors data-series={series}>
            {seriesTitles[series]}
          </span>
        ))}
      </div>
      <ChartDrawing
        points={points}
        type="bar"
        height={260}
        label={`${campaign.name}, by week`}
        below={(extent) => <ChartEvents campaignId={campaign.id} points={points} extent={extent} {...range} />}
      />
    </>
  )
}
