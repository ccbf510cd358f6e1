import { Button } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { memo } from 'react'
import { toTelUrl } from '#contract/read-phone.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { getReadableFields, getWritableFields, type Lead, type LeadSort } from '#domains/leads/contract.ts'
import { useLeadDesk } from '#domains/leads/detail/ui/desk-store.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { PhoneLink } from '#ui/cells/PhoneCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import type { RowMark } from '#ui/data/saved-rows.ts'
import arrange from '#ui/layout/arrange.module.css'
import { CardCheckbox, CardList, ListCard } from '#ui/table/cards/CardList.tsx'
import type { TableColumn, TableSource } from '#ui/table/table-column.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import text from '#ui/theme/text.module.css'
import { EditFailureNotice } from './cells/EditFailureNotice.tsx'
import { MessageCell } from './cells/MessageCell.tsx'
import { LeadTagsList } from './cells/TagsCell.tsx'
import { VerifyButton } from './cells/VerifyButton.tsx'
import classes from './LeadCards.module.css'
import { leadRowTint } from './LeadColumns.tsx'
import { formatLeadTime, formatShortLeadTime } from './lead-time.ts'

type LeadCardsProps = {
  me: CurrentUserDto
  label: string
  list: TableSource<Lead, LeadSort>
  columns: readonly TableColumn<Lead, LeadSort>[]
  selectColumn?: TableColumn<Lead, LeadSort> | undefined
  shortcuts: readonly RowShortcut<Lead>[]
}

/** The list on a phone, with what a verdict needs. A tap opens the rest. */
export function LeadCards({ me, label, list, columns, selectColumn, shortcuts }: LeadCardsProps) {
  const desk = useLeadDesk()
  return (
    <CardList
      label={label}
      list={list}
      columns={columns}
      selectColumn={selectColumn}
      onDrawn={desk?.setDrawn}
      onOpen={desk?.open}
      onPast={desk?.goPast}
      shortcuts={shortcuts}
      card={(lead, index) => (
        <LeadCard
          key={lead.id}
          me={me}
          lead={lead}
          index={index}
          mark={list.marks?.get(lead.id)}
          selectColumn={selectColumn}
        />
      )}
    />
  )
}

type LeadCardProps = Pick<LeadCardsProps, 'me' | 'selectColumn'> & {
  lead: Lead
  index: number
  mark: RowMark | undefined
}

const LeadCard = memo(function LeadCard({ me, lead, index, mark, selectColumn }: LeadCardProps) {
  const desk = useLeadDesk()
  const callUrl = lead.lead_phone && toTelUrl(lead.lead_phone)
  const hasTags = getReadableFields(me).has('tags') && (lead.tags?.length ?? 0) > 0
  const whenWhole = `${formatDay(lead.lead_date)} ${formatLeadTime(lead, me.timezone)}`
  return (
    <ListCard index={index} tint={leadRowTint(lead)} mark={mark} className={classes.card}>
      <div className={arrange.rowNarrow}>
        {selectColumn && <CardCheckbox>{selectColumn.cell(lead)}</CardCheckbox>}
        {desk ? (
          <button type="button" className={classes.name} onClick={() => desk.open(lead)}>
            {lead.lead_name ?? 'No name'}
          </button>
        ) : (
          <b className={text.clipped}>
            <RecordLink kind="lead" id={lead.id}>
              {lead.lead_name ?? 'No name'}
            </RecordLink>
          </b>
        )}
        {lead.missed_call && renderBadge('warn', 'Missed')}
        <time className={`${text.smaller} ${text.numbers} ${arrange.atEnd}`} title={whenWhole}>
          {/* Clients read the zone, too. */}
          {me.timezone === null ? formatShortLeadTime(lead, me.timezone) : whenWhole}
        </time>
      </div>
      <p className={`${text.smaller} ${text.numbers}`}>
        {lead.lead_type} · {lead.campaign_name ?? 'No campaign'}
      </p>
      {lead.lead_type === 'Form' ? (
        <p className={classes.message}>{lead.message ?? 'No message'}</p>
      ) : (
        <div>
          <MessageCell lead={lead} />
        </div>
      )}
      {hasTags && <LeadTagsList lead={lead} />}
      <div className={`${arrange.rowNarrow} ${classes.actions}`}>
        {lead.lead_phone && <PhoneLink phone={lead.lead_phone} />}
        <span className={`${arrange.rowNarrow} ${arrange.atEnd}`}>
          {callUrl && (
            <Button
              component="a"
              variant="default"
              href={callUrl}
              leftSection={<IconPhone size={16} aria-hidden="true" />}
            >
              Call
            </Button>
          )}
          {getWritableFields(me).has('confirmed') ? (
            <VerifyButton lead={lead} />
          ) : (
            lead.confirmed === 1 && renderBadge('ok', 'Verified')
          )}
        </span>
      </div>
      <EditFailureNotice id={lead.id} field="confirmed" />
    </ListCard>
  )
})
