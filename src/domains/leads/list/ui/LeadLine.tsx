import { IconPlayerPlay } from '@tabler/icons-react'
import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import { getLeadName } from '#domains/leads/lead-name.ts'
import { formatDay } from '#ui/cells/days.ts'
import arrange from '#ui/layout/arrange.module.css'
import type { TableColumn } from '#ui/table/table-column.ts'
import text from '#ui/theme/text.module.css'
import classes from './LeadLine.module.css'
import { formatLeadTime, formatShortLeadTime } from './lead-time.ts'

/** Returns the one column of the list beside an open lead, which has the rest. `zone` is the reader's, for clients. */
export const buildLineColumns = (zone: string | null): TableColumn<Lead, LeadSort>[] => [
  {
    key: 'line',
    title: 'Lead',
    sort: 'lead_date',
    cell: (lead) => <LeadLine lead={lead} zone={zone} />,
    plain: getLeadName,
  },
]

/** Who and when; where, and the first words or the length. */
function LeadLine({ lead, zone }: { lead: Lead; zone: string | null }) {
  const { campaign_name, lead_type, message, duration_formatted, recording } = lead
  return (
    <div className={classes.line}>
      <b className={`${text.clipped} ${text.medium}`}>{getLeadName(lead)}</b>
      <time className={text.quiet} title={`${formatDay(lead.lead_date)} ${formatLeadTime(lead, zone)}`}>
        {formatShortLeadTime(lead, zone)}
      </time>
      <span className={text.quiet} title={campaign_name ?? undefined}>
        <span className={`${text.clipped} ${arrange.half}`}>{findPlace(lead)}</span> ·{' '}
        <span className={text.clipped}>
          {lead_type === 'Form' ? (
            (message ?? 'No message')
          ) : recording ? (
            <>
              <IconPlayerPlay size={12} aria-label="Recorded" /> {duration_formatted}
            </>
          ) : (
            'Call'
          )}
        </span>
      </span>
      <LeadState lead={lead} />
    </div>
  )
}

/** The city of the lead; without one, the whole name of the campaign: which of its words are a city is not known. */
const findPlace = ({ lead_location, campaign_name }: Lead) =>
  lead_location?.split(',')[0] || campaign_name || 'No campaign'

/** What was decided, or what stands out. */
function LeadState({ lead: { confirmed, tags, missed_call } }: { lead: Lead }) {
  if (confirmed === 1) return <em data-kind="ok">Verified</em>
  if (missed_call) return <em data-kind="warn">Missed</em>
  return tags?.[0] ? <em>{tags[0].name}</em> : null
}
