import { msPerDay } from '#contract/days.ts'
import type { SiteCheckResult } from '#domains/sites/checks/contract.ts'
import type { SiteLogsEndpoint } from '#domains/sites/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import text from '#ui/theme/text.module.css'
import classes from './RecordPage.module.css'
import { computeUptime, uptimeDays } from './uptime.ts'

type UptimeBarProps = { call: SiteLogsEndpoint; site: Pick<SiteCheckResult, 'status' | 'never_live'> & { id: number } }

/** When a site was online in the last 90 days, as a bar from left to right. */
export function UptimeBar({ call, site }: UptimeBarProps) {
  const { data } = useApi(call, { params: { id: site.id }, query: { per_page: 200 } }, { quiet: true })
  if (!data) return null
  const { spans, share } = computeUptime(data.data, site.status, Date.now())
  return (
    <>
      <div className={classes.uptime} aria-hidden="true" data-printed-colors>
        {spans.map(({ from, to, status }) => (
          <span
            key={from}
            data-status={status ?? 'unknown'}
            style={{ width: `${(100 * (to - from)) / (uptimeDays * msPerDay)}%` }}
          />
        ))}
      </div>
      <p className={text.small}>
        {describeShare(site, share)}, last {uptimeDays} days
      </p>
    </>
  )
}

function describeShare({ status, never_live }: UptimeBarProps['site'], share: number | null): string {
  if (status === 0 && never_live) return 'No check has reached the site'
  return share === null ? 'Not known yet' : `Online ${share}% of the time that we checked`
}
