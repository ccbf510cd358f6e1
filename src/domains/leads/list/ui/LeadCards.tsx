import { memo } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { getReadableFields, getWritableFields, type Lead, type LeadSort } from '#domains/leads/contract.ts'
import { useLeadDesk } from '#domains/leads/detail/ui/desk-context.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { QueryEmpty, QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import { TableFrame, TableScroller } from '#ui/table/TableFrame.tsx'
import type { TableSource } from '#ui/table/table-column.ts'
import { MessageCell } from './cells/MessageCell.tsx'
import { LeadSwitchCell } from './cells/SwitchCell.tsx'
import { LeadTagsList } from './cells/TagsCell.tsx'
import classes from './LeadCards.module.css'
import { formatLeadTime, leadRowTint } from './LeadColumns.tsx'

type LeadCardsProps = { me: CurrentUserDto; label: string; list: TableSource<Lead, LeadSort> }

/** The list on a phone: what is judged of each lead. A tap opens the rest. */
export function LeadCards({ me, label, list }: LeadCardsProps) {
  const rows = list.rows ?? []
  return (
    <TableFrame className={classes.frame} fetching={list.fetching && !list.loading}>
      {list.error && list.rows && <QueryOutdated what="These rows" error={list.error} retry={list.retry} />}
      <TableScroller aria-label={label} over={{ top: 0, start: 0 }}>
        {list.loading ? (
          <div className={classes.bones} role="status" aria-label="Loading" />
        ) : rows.length > 0 ? (
          <ul className={classes.cards}>
            {rows.map((lead, index) => (
              <LeadCard key={lead.id} me={me} lead={lead} index={index} />
            ))}
          </ul>
        ) : list.error ? (
          <QueryError what="This list" error={list.error} retry={list.retry} />
        ) : (
          <QueryEmpty changed={list.changed} reset={list.reset}>
            {list.elsewhere}
          </QueryEmpty>
        )}
      </TableScroller>
    </TableFrame>
  )
}

const LeadCard = memo(function LeadCard({ me, lead, index }: { me: CurrentUserDto; lead: Lead; index: number }) {
  const desk = useLeadDesk()
  const hasTags = getReadableFields(me).has('tags') && (lead.tags?.length ?? 0) > 0
  return (
    <li className={classes.card} data-index={index} data-tint={leadRowTint(lead)} tabIndex={-1}>
      <div className={classes.head}>
        <button type="button" className={classes.name} onClick={() => desk?.open(lead)}>
          {lead.lead_name ?? 'No name'}
        </button>
        {lead.missed_call && renderBadge('warn', 'Missed')}
        <span className={classes.when}>
          {formatDay(lead.lead_date)} {formatLeadTime(lead, me.timezone)}
        </span>
      </div>
      <p className={classes.place}>
        {lead.lead_type} · {lead.campaign_name ?? 'No campaign'}
      </p>
      {lead.lead_type === 'Form' ? (
        <p className={classes.message}>{lead.message ?? 'No message'}</p>
      ) : (
        <MessageCell lead={lead} />
      )}
      <div className={classes.foot}>
        {hasTags && <LeadTagsList lead={lead} />}
        <span className={classes.verify}>
          {getWritableFields(me).has('confirmed') ? (
            <>
              Verified
              <LeadSwitchCell lead={lead} field="confirmed" label="Verified" />
            </>
          ) : (
            lead.confirmed === 1 && renderBadge('ok', 'Verified')
          )}
        </span>
      </div>
    </li>
  )
})
