import { dateOrders, decimalMarks, readingExamples } from '#contract/column-reading.ts'
import card from '#ui/layout/Card.module.css'
import type { ImportFieldDto, OpenReading, ReadingChoice } from '../contract.ts'
import classes from './Imports.module.css'

/** How each column of the file could be read. */
export type FileReadings = { amounts: OpenReading; dates: OpenReading }[]

/** Returns how a field's column is read; null for text, and for a field without a column. */
export function findReading(
  readings: FileReadings,
  { reads }: Pick<ImportFieldDto, 'reads'>,
  index: number | undefined,
): OpenReading | null {
  const column = reads === null || index === undefined ? undefined : readings[index]
  return column ? (reads === 'amount' ? column.amounts : column.dates) : null
}

type ReadingSelectProps = {
  label: string
  reading: OpenReading
  answer: ReadingChoice | undefined
  choose: (as: ReadingChoice) => void
}

/** Says how the amounts or dates of a column are read, and lets a person change it. */
export function ReadingSelect({ label, reading, answer, choose }: ReadingSelectProps) {
  const { preset, asked, contradicts } = reading
  const choices = decimalMarks.some((mark) => mark === preset)
    ? decimalMarks
    : dateOrders.filter((order) => order !== 'ymd' || preset === 'ymd')
  const isOpen = asked && answer === undefined
  return (
    <div className={classes.choice}>
      <label className={classes.reading}>
        Read as
        <select
          aria-label={`How ${label} is read`}
          value={answer ?? (contradicts ? '' : preset)}
          data-open={isOpen || undefined}
          onChange={(event) => choose(choices.find((one) => one === event.currentTarget.value) ?? preset)}
        >
          {contradicts && answer === undefined && <option value="">Please choose</option>}
          {choices.map((one) => (
            <option key={one} value={one}>
              {readingExamples[one]}
            </option>
          ))}
        </select>
      </label>
      {isOpen && !contradicts && <span className={card.hint}>These values could be read both ways: please check</span>}
    </div>
  )
}
