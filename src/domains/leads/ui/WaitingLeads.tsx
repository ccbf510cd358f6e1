import { Link } from '@tanstack/react-router'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { formatClock } from '#ui/cells/clock.ts'
import { addDays, formatDay, getToday } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { Panel, PanelNote } from '#ui/layout/Panel.tsx'
import text from '#ui/theme/text.module.css'
import { leadsContract } from '../contract.ts'
import { getLeadName } from '../lead-name.ts'
import classes from './WaitingLeads.module.css'

const shownDays = 7

/** The newest unmarked leads of a handler's campaigns in the last days. */
export function WaitingLeads() {
  const me = useCurrentUser()
  return leadsContract.list.allow(me) ? <LeadList /> : null
}

function LeadList() {
  const today = getToday(appConfig.timezone)
  const days = { date_from: addDays(today, 1 - shownDays), date_to: today }
  const query = { ...days, unmarked: 1, per_page: 10 } as const
  const { data, error, refetch } = useApi(leadsContract.list, { query }, { quiet: true })
  const total = data && 'meta' in data ? data.meta.total : 0
  return (
    <Panel
      title="New leads"
      count={total}
      action={
        <Link to="/leads" search={{ ...days, unmarked: '1' }}>
          All new leads
        </Link>
      }
    >
      {error && !data && <QueryError what="Leads" error={error} retry={refetch} />}
      {!error && !data && (
        <PanelNote>
          <span data-waiting>Loading…</span>
        </PanelNote>
      )}
      {data && total === 0 && <PanelNote>All leads of the last {shownDays} days are marked.</PanelNote>}
      <ul className={classes.list} aria-label="New leads">
        {data?.data.map((lead) => (
          <li key={lead.id}>
            <span className={text.breaking}>
              <RecordLink kind="lead" id={lead.id}>
                {getLeadName(lead)}
              </RecordLink>
            </span>
            <span className={classes.detail}>
              {lead.lead_type} · {lead.campaign?.name}
            </span>
            <span className={classes.when}>
              {formatDay(lead.lead_date)} {formatClock(lead.lead_time)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
