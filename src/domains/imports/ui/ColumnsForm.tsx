import { Button } from '@mantine/core'
import { type FormEvent, Fragment, Suspense, useRef, useState } from 'react'
import { countOf } from '#contract/count-of.ts'
import { ApiError } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { useUnsavedPage } from '#ui/form/useUnsavedGuard.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import card from '#ui/layout/Card.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import {
  contradictionMessage,
  formatPickColumn,
  type Import,
  type ImportFieldDto,
  importsContract,
  type ReadingChoice,
} from '../contract.ts'
import { importKindTitles } from '../labels.ts'
import classes from './Imports.module.css'
import { type FileReadings, findReading, ReadingSelect } from './ReadingSelect.tsx'

type ColumnsFormProps = { one: Import; onChecking: () => void; onDiscarded: () => void }
type FileColumns = { title: string; samples: string[]; words: string[] }[]
/** Replacements of the file's values, by field; `''` holds the value for every line if no column is mapped. */
type Values = Record<string, Record<string, string>>
/** How a person says that fields are read. */
type Answers = Record<string, ReadingChoice>

/** Maps the file's columns to our fields. */
export function ColumnsForm({ one, onChecking, onDiscarded }: ColumnsFormProps) {
  // Not from the cache: earlier choices are read again, and a later read of the same does not undo what is being chosen.
  const file = useApi(importsContract.columns, { params: { id: one.id } }, { quiet: true, uncached: true })
  const fields = useApi(importsContract.fields, undefined, { kept: true })
  const readings = useApi(importsContract.readings, { params: { id: one.id } }, { quiet: true, uncached: true })
  const failed = [file, fields, readings].find(({ data, error }) => !data && error)
  if (failed?.error) return <QueryError what="The columns" error={failed.error} retry={failed.refetch} />
  if (!file.data || !fields.data || !readings.data) return null
  const { columns, chosen, values } = file.data
  return (
    <ColumnChoices
      one={one}
      fields={fields.data[one.kind]}
      columns={columns}
      start={chosen}
      startValues={values}
      readings={readings.data.columns}
      startAnswers={readings.data.answers}
      kept={readings.data.kept}
      onChecking={onChecking}
      onDiscarded={onDiscarded}
    />
  )
}

function ColumnChoices(
  props: ColumnsFormProps & {
    fields: ImportFieldDto[]
    columns: FileColumns
    start: Record<string, number>
    startValues: Values
    readings: FileReadings
    startAnswers: Answers
    kept: number[]
  },
) {
  const { one, fields, columns, start, startValues, readings, startAnswers, kept, onChecking, onDiscarded } = props
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState(start)
  const [values, setValues] = useState(startValues)
  const [answers, setAnswers] = useState(startAnswers)
  const [refused, setRefused] = useState<Record<string, string[]>>({})
  const { run, running } = useAction(importsContract.check, {
    onFailure: (problem) => {
      if (problem instanceof ApiError && problem.status === 422) setRefused(problem.errors)
      else toastError(problem)
    },
  })
  const isLeft = useRef(false)
  const isChanged = JSON.stringify([chosen, values, answers]) !== JSON.stringify([start, startValues, startAnswers])
  useUnsavedPage(() => isChanged && !isLeft.current)
  const used = new Set(Object.values(chosen))
  const unused = (isKept: boolean) =>
    columns
      .flatMap(({ title }, index) => (used.has(index) || kept.includes(index) !== isKept ? [] : [title]))
      .join(', ')
  const [leftOut, inMessage] = [unused(false), unused(true)]
  const errorOf = (field: ImportFieldDto) => {
    const { name, label, required } = field
    if (required && chosen[name] === undefined && !values[name]?.['']) return formatPickColumn(label)
    if (findReading(readings, field, chosen[name])?.contradicts && !answers[name]) return contradictionMessage
    return refused[name]?.[0]
  }

  async function check(event: FormEvent) {
    event.preventDefault()
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (first) return first.focus()
    const { done } = await run({ params: { id: one.id }, body: { columns: chosen, values, readings: answers } })
    if (done) leave(onChecking)
  }
  const leave = (go: () => void) => {
    isLeft.current = true
    go()
  }
  const choose = (name: string, index: string) => {
    const { [name]: _, ...others } = chosen
    setChosen(index === '' || index === sameForAll ? others : { ...others, [name]: Number(index) })
    setValues(({ [name]: __, ...rest }) => (index === sameForAll ? { ...rest, [name]: { '': '' } } : rest))
    setAnswers(({ [name]: _answer, ...rest }) => rest)
    setRefused({})
  }
  const mean = (name: string, said: string, ours: string) =>
    setValues(({ [name]: { [said]: _, ...words } = {}, ...rest }) => ({
      ...rest,
      [name]: ours === '' && said !== '' ? words : { ...words, [said]: ours },
    }))

  return (
    <form ref={form} className={arrange.fill} onSubmit={(event) => void check(event)}>
      <p className={classes.sentence}>
        {countOf(one.lines, 'line')} for {importKindTitles[one.kind]}. Say which column is which; then every line is
        looked at, and nothing is written yet.
      </p>
      <section
        className={classes.scroller}
        aria-label="Columns"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <PlainTable
          className={classes.columns}
          columns={[
            { title: 'Field', isName: true, cell: (field) => <FieldName field={field} /> },
            {
              title: 'Column of the file, and its first values',
              cell: (field) => (
                <FieldChoice
                  id={one.id}
                  field={field}
                  columns={columns}
                  index={chosen[field.name]}
                  error={errorOf(field)}
                  choose={(index) => choose(field.name, index)}
                  values={values[field.name]}
                  mean={(said, ours) => mean(field.name, said, ours)}
                  readings={readings}
                  answer={answers[field.name]}
                  readAs={(as) => setAnswers((before) => ({ ...before, [field.name]: as }))}
                />
              ),
            },
          ]}
          rows={fields}
          rowKey={({ name }) => name}
        />
      </section>
      {inMessage !== '' && <p className={card.hint}>Into the message: {inMessage}</p>}
      {leftOut !== '' && <p className={card.hint}>Left out of the file: {leftOut}</p>}
      <div className={card.row}>
        <Button type="submit" loading={running}>
          Check the lines
        </Button>
        <ActionButton
          call={importsContract.discard}
          input={{ params: { id: one.id } }}
          label="Discard"
          details={[one.file_name]}
          onDone={() => leave(onDiscarded)}
        />
      </div>
    </form>
  )
}

type FieldChoiceProps = {
  id: number
  field: ImportFieldDto
  columns: FileColumns
  index: number | undefined
  error: string | undefined
  choose: (index: string) => void
  values: Record<string, string> | undefined
  mean: (said: string, ours: string) => void
  readings: FileReadings
  answer: ReadingChoice | undefined
  readAs: (as: ReadingChoice) => void
}

const sameForAll = '='

const FieldName = ({ field: { label, required, about } }: { field: ImportFieldDto }) => (
  <>
    {label}
    {required && <span className={classes.required}>required</span>}
    {about && <small>{about}</small>}
  </>
)

function FieldChoice(props: FieldChoiceProps) {
  const { id, field, columns, index, error, choose, values, mean, readings, answer, readAs } = props
  const { name, label, choices, is_reference } = field
  const forAll = index === undefined ? values?.[''] : undefined
  const described = `import-${name}`
  const reading = findReading(readings, field, index)
  return (
    <>
      <div className={classes.choice}>
        <select
          name={name}
          aria-label={`Column for ${label}`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : described}
          value={index ?? (forAll === undefined ? '' : sameForAll)}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">Not in the file</option>
          <option value={sameForAll}>The same for every line…</option>
          {columns.map(({ title }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one title, and they never move.
            <option key={at} value={at}>
              {title}
            </option>
          ))}
        </select>
        {index !== undefined && <Samples values={columns[index]?.samples ?? []} />}
        {forAll !== undefined && (
          <ValueInput
            of={{ id, field: is_reference ? name : null, word: '' }}
            label={`${label} of every line`}
            value={forAll}
            choices={choices}
            choose={(ours) => mean('', ours)}
          />
        )}
      </div>
      {reading && <ReadingSelect label={label} reading={reading} answer={answer} choose={readAs} />}
      {index !== undefined && (choices || is_reference) && (
        <FileWords
          id={id}
          field={is_reference ? name : null}
          label={label}
          words={columns[index]?.words ?? []}
          choices={choices}
          values={values}
          mean={mean}
        />
      )}
      {error !== undefined && (
        <p id={described} className={card.hint} data-kind="bad">
          {error}
        </p>
      )}
    </>
  )
}

type FileWordsProps = Pick<FieldChoiceProps, 'id' | 'values' | 'mean'> & {
  /** The field, if its values name other rows. */
  field: string | null
  label: string
  words: string[]
  choices: string[] | null
}

/** Maps a column's words to values. Unmapped words are read as they are. */
function FileWords({ id, field, label, words, choices, values, mean }: FileWordsProps) {
  const odd = words.filter((word) => !choices?.some((choice) => choice.toLowerCase() === word.toLowerCase()))
  if (odd.length === 0) return null
  return (
    <details className={classes.words} open={Object.keys(values ?? {}).length > 0}>
      <summary>What its words mean</summary>
      {odd.map((word) => (
        <div key={word} className={classes.choice}>
          <span className={classes.word}>{word}</span>
          <ValueInput
            of={{ id, field, word }}
            label={`${label}: ${word} means`}
            value={values?.[word] ?? ''}
            choices={choices}
            choose={(ours) => mean(word, ours)}
          />
        </div>
      ))}
    </details>
  )
}

type ValueInputProps = {
  /** What the value names, and the file's word for it. */
  of: { id: number; field: string | null; word: string }
  label: string
  value: string
  choices: string[] | null
  choose: (ours: string) => void
}

function ValueInput({ of: { id, field, word }, label, value, choices, choose }: ValueInputProps) {
  if (choices)
    return (
      <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">As it stands</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  if (field !== null)
    return (
      <Suspense fallback={<span className={classes.value} />}>
        <NameSelect id={id} field={field} label={label} word={word} value={value} choose={choose} />
      </Suspense>
    )
  return (
    <input
      className={classes.value}
      aria-label={label}
      value={value}
      maxLength={200}
      onChange={(event) => choose(event.currentTarget.value)}
      onKeyDown={(event) => {
        // The lines are checked by the button alone.
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}

const NameSelect = lazyComponent(() => import('./NameSelect.tsx'))

/** A phone or date that has no more room on its line goes to the next one whole. */
const Samples = ({ values }: { values: string[] }) => (
  <span className={classes.samples}>
    {values.map((value, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat, and never move.
      <Fragment key={at}>
        <span>{at < values.length - 1 ? `${value}\u00a0·` : value}</span>{' '}
      </Fragment>
    ))}
    {values.length === 0 && '–'}
  </span>
)
