import { type CampaignHealth, campaignHealths, isStatusContradicted } from '#domains/insights/labels.ts'
import type { FilterBinding } from '#ui/table/useList.ts'
import type { WeeklyReport, WeeklyReportSort } from '../contract.ts'
import type { SortControls } from './WeekHead.tsx'
import classes from './WeeklyReport.module.css'

type HealthCountsProps = {
  report: WeeklyReport | undefined
  at: FilterBinding<CampaignHealth[] | undefined>
  sorts: SortControls<WeeklyReportSort>
}

/** The number of campaigns by health; pressing one filters by it. The last button sorts campaigns with a contradicted status first. */
export function CampaignHealthCounts({ report, at, sorts }: HealthCountsProps) {
  const chosen = new Set(at.value)
  const toggle = (health: CampaignHealth) => {
    const next = campaignHealths.map(({ value }) => value).filter((value) => chosen.has(value) !== (value === health))
    at.set(next.length > 0 ? next : undefined)
  }
  const differing = report?.campaigns.filter(({ trouble_state, health }) =>
    isStatusContradicted(trouble_state, health ?? 'unknown'),
  )
  return (
    <ul className={classes.states} aria-label="Campaigns by health">
      {campaignHealths.map(({ value, label }) => (
        <li key={value} data-health={value}>
          <button type="button" aria-pressed={chosen.has(value)} onClick={() => toggle(value)}>
            {label} <b>{report ? report.campaigns.filter(({ health }) => health === value).length : '…'}</b>
          </button>
        </li>
      ))}
      <li>
        <button type="button" aria-pressed={sorts.sort === 'health'} onClick={() => sorts.sortBy('health')}>
          Differing from status first <b>{differing?.length ?? '…'}</b>
        </button>
      </li>
    </ul>
  )
}
