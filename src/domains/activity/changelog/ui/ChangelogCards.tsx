import { type CSSProperties, useRef, useState } from 'react'
import { formatWeekday } from '#contract/short-times.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { campaignNotesContract } from '#domains/campaigns/notes/contract.ts'
import { formatDay, getToday } from '#ui/cells/days.ts'
import { LinkedText } from '#ui/cells/LinkedText.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { appConfig } from '#ui/data/environment.ts'
import { CardHead } from '#ui/table/cards/CardHead.tsx'
import { ListCard } from '#ui/table/cards/CardList.tsx'
import { TableScroller } from '#ui/table/TableFrame.tsx'
import text from '#ui/theme/text.module.css'
import type { ChangelogLine } from '../contract.ts'
import { CellEditor } from './CellEditor.tsx'
import classes from './ChangelogCards.module.css'
import type { ChangelogGridData, LineRow } from './changelog-grid.ts'
import { DayEntry } from './DayCell.tsx'
import { CampaignNoteDialog } from './NoteDialog.tsx'
import { useCellEditing } from './useCellEditing.ts'

/** Days that a card shows before it is expanded. */
const daysAtOnce = 2
// CSSProperties does not include custom properties.
const entryLines = { '--lines': 4 } as CSSProperties

/** The changelog on a phone: each campaign and team is a card with the days that have notes, the latest first. */
export function ChangelogCards({ grid: { rows, days } }: { grid: ChangelogGridData }) {
  const work = useCellEditing()
  const [noteOf, setNoteOf] = useState<ChangelogLine | null>(null)
  return (
    <>
      <TableScroller aria-label="Campaigns by day" over={{ top: 0, start: 0 }}>
        <ul style={entryLines}>
          {rows.map((row, index) =>
            row.kind === 'group' ? (
              <li key={row.key} className={classes.group}>
                <h2 className={text.caption}>{row.title}</h2>
              </li>
            ) : (
              <LineCard key={row.key} row={row} index={index} days={days} work={work} editNote={setNoteOf} />
            ),
          )}
        </ul>
      </TableScroller>
      {noteOf && <CampaignNoteDialog line={noteOf} onClose={() => setNoteOf(null)} />}
    </>
  )
}

type LineCardProps = {
  row: LineRow
  index: number
  days: ChangelogGridData['days']
  work: ReturnType<typeof useCellEditing>
  editNote: (line: ChangelogLine) => void
}

function LineCard({ row: { line, cells }, index, days, work, editNote }: LineCardProps) {
  const me = useCurrentUser()
  const card = useRef<HTMLLIElement>(null)
  const [isOpen, setOpen] = useState(false)
  const noted = days.filter(({ day }) => cells[day]?.data.length)
  const today = getToday(appConfig.timezone)
  const latest = (days.find(({ day }) => day <= today) ?? days.at(-1))?.day
  const editing = work.editing?.line.key === line.key ? work.editing : null
  const isCampaign = line.type === 'campaign'
  const name = isCampaign ? (
    <RecordLink kind="campaign" id={line.id}>
      {line.name}
    </RecordLink>
  ) : (
    line.name
  )
  const editor = editing && (
    <CellEditor
      key={`${editing.day} ${editing.entry?.id}`}
      editing={editing}
      typed={work.typed}
      onClose={() => {
        work.close()
        card.current?.focus()
      }}
    />
  )
  return (
    <ListCard ref={card} index={index} tint={undefined}>
      <CardHead name={name} isOpen={isOpen} setOpen={noted.length > daysAtOnce ? setOpen : undefined} />
      {line.note !== '' && (
        <p className={classes.note}>
          <LinkedText text={line.note} />
        </p>
      )}
      {noted.slice(0, isOpen ? undefined : daysAtOnce).map(({ day }) => (
        <section key={day} aria-label={`${line.name}, ${formatDay(day)}`}>
          <h3 className={classes.day}>
            {formatWeekday(day)} {formatDay(day)}
          </h3>
          {cells[day]?.data.map((entry) => (
            <DayEntry key={entry.id} entry={entry} day={day} isStop edit={() => void work.edit({ line, day, entry })} />
          ))}
          {editing?.entry && editing.day === day && editor}
        </section>
      ))}
      {editing && !editing.entry && editor}
      <div className={classes.acts}>
        {latest && (
          <button
            type="button"
            aria-label={`Add Note: ${line.name}, ${formatDay(latest)}`}
            onClick={() => void work.edit({ line, day: latest })}
          >
            Add Note
          </button>
        )}
        {isCampaign && campaignNotesContract.update.allow(me) && (
          <button type="button" aria-label={`About the campaign: ${line.name}`} onClick={() => editNote(line)}>
            About the campaign
          </button>
        )}
      </div>
    </ListCard>
  )
}
