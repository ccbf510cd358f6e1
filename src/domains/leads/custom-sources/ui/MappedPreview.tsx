import { formatClock } from '#ui/cells/clock.ts'
import { formatDay } from '#ui/cells/days.ts'
import { formatInstant } from '#ui/cells/timestamps.ts'
import card from '#ui/layout/Card.module.css'
import type { MappedSample, MappingProblem } from '../contract.ts'
import { type MappedField, mappedFieldLabels } from '../labels.ts'
import classes from './CustomSources.module.css'

type RecentEvent = { id: number; received_at: string; problems: MappingProblem[] }

const labelOf = (field: string) => mappedFieldLabels[field as MappedField] ?? 'Lead Source'
const formatProblem = ({ field, says }: MappingProblem) => (field === null ? says : `${labelOf(field)}: ${says}`)

/** Shows the lead that the newest event would create, and which of the last events cannot be read. */
export function MappedPreview({ lead, problems, recent = [] }: MappedSample & { recent?: RecentEvent[] }) {
  const filled = Object.entries(lead).filter(([, value]) => value !== null && value !== '')
  // A single event is already shown as the preview.
  const others = recent.length > 1 ? recent : []
  const unread = others.filter((event) => event.problems.length > 0)
  return (
    <section aria-label="Preview">
      <h2 className={classes.heading}>The resulting lead</h2>
      {problems.map((problem) => (
        <p key={formatProblem(problem)} className={card.hint} data-kind="bad">
          {formatProblem(problem)}
        </p>
      ))}
      <dl className={classes.fields}>
        {filled.map(([field, value]) => (
          <div key={field}>
            <dt>{labelOf(field)}</dt>
            <dd>{formatMapped(field, value)}</dd>
          </div>
        ))}
      </dl>
      {others.length > 0 && (
        <p className={card.hint}>
          {unread.length === 0
            ? `All of the last ${others.length} events can be read.`
            : `${unread.length} of the last ${others.length} events cannot be read:`}
        </p>
      )}
      {unread.slice(0, 5).map((event) => (
        <p key={event.id} className={card.hint}>
          {formatInstant(event.received_at)}: {event.problems.map(formatProblem).join('; ')}
        </p>
      ))}
    </section>
  )
}

function formatMapped(field: string, value: MappedSample['lead'][string]) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string') return value
  if (field === 'lead_date') return formatDay(value) ?? value
  return field === 'lead_time' ? (formatClock(value) ?? value) : value
}
