import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Fragment, useState } from 'react'
import { leadTypes } from '#domains/leads/labels.ts'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { useUnsavedPage } from '#ui/form/useUnsavedGuard.ts'
import card from '#ui/layout/Card.module.css'
import { listSampleFields, type SampleField } from '../body-paths.ts'
import { type CustomSource, customSourcesContract, type FieldMapping } from '../contract.ts'
import type { FieldSource } from '../fields.ts'
import { type MappedField, mappedFieldLabels, mappedFields, sourcePresetTitles } from '../labels.ts'
import classes from './CustomSources.module.css'
import { MappedPreview } from './MappedPreview.tsx'

/** Shows the received fields on the left, the lead's fields on the right, and the resulting lead below. */
export function MappingForm({ source }: { source: CustomSource }) {
  // Only what is changed here, so that other fields follow what another person saves.
  const [draft, setDraft] = useState<MappingDraft>({})
  const isSuggested = source.preset === null && Object.keys(source.mapping).length === 0
  const start = isSuggested ? source.suggested : source.mapping
  const mapping = applyDraft(start, draft)
  useUnsavedPage(() => isChanged(mapping, start))
  const [settled] = useDebouncedValue(mapping, 300)
  const { run, running } = useAction(customSourcesContract.update)
  const [isSaved, setSaved] = useState(false)
  const fields = listSampleFields(source.sample)
  const hasSample = source.sample !== null
  const preview = useApi(
    customSourcesContract.preview,
    { params: { id: source.id }, body: { mapping: settled } },
    { enabled: hasSample, quiet: true, keepPrevious: true },
  )
  const choose = (field: MappedField, chosen: FieldSource | null) =>
    setDraft((before) => ({ ...before, [field]: chosen }))
  const changed = isChanged(mapping, source.mapping)
  const problems = preview.data?.problems ?? []
  async function save() {
    const isUnread = problems.length > 0
    if (isUnread && !(await confirmAction(unreadQuestion, { label: 'Save' }))) return
    const confirmed = isUnread ? 1 : 0
    const outcome = await run({ params: { id: source.id }, body: { mapping, version: source.version, confirmed } })
    if (outcome.done) {
      setDraft((now) => (now === draft ? {} : now))
      setSaved(true)
    } else void refreshQueries(customSourcesContract.list.reads)
  }
  return (
    <section className={card.card} aria-label="Mapping">
      <div className={classes.mapping}>
        <ReceivedFields fields={fields} hasSample={hasSample} />
        <section aria-label="Fields of the lead">
          <h2 className={classes.heading}>Fields of the lead</h2>
          {isSuggested && Object.keys(source.suggested).length > 0 && (
            <p className={card.hint}>Filled in from what was received. Please check, and save.</p>
          )}
          {mappedFields.map((field) => (
            <FieldRow
              key={field}
              field={field}
              fields={fields}
              preset={source.preset}
              chosen={mapping[field]}
              choose={(chosen) => choose(field, chosen)}
            />
          ))}
        </section>
      </div>
      {preview.error ? (
        <QueryError what="The preview" error={preview.error} retry={preview.refetch} />
      ) : (
        preview.data && <MappedPreview {...preview.data} />
      )}
      <div className={card.row}>
        {/* Not disabled: it would lose the focus once the mapping is saved. */}
        <Button
          loading={running}
          aria-disabled={!changed}
          data-disabled={!changed || undefined}
          onClick={() => changed && void save()}
        >
          Save mapping
        </Button>
        {isSaved && !changed && (
          <span role="status" className={card.hint}>
            New events are read with this mapping. Press Replay all without a lead for those that came before.
          </span>
        )}
      </div>
    </section>
  )
}

const unreadQuestion = 'The newest event cannot be read with this mapping. Save it anyway?'

/** The changed fields; null is one that is no longer mapped. */
type MappingDraft = Partial<Record<MappedField, FieldSource | null>>

const applyDraft = (saved: FieldMapping, draft: MappingDraft): FieldMapping =>
  Object.fromEntries(Object.entries({ ...saved, ...draft }).filter(([, chosen]) => chosen))

const isChanged = (mapping: FieldMapping, saved: FieldMapping) =>
  mappedFields.some((field) => JSON.stringify(mapping[field]) !== JSON.stringify(saved[field]))

/** A long path goes on at the end of a word. */
const markBreaks = (path: string) =>
  path.split(/(?<=[._\]])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path may repeat, and never move.
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ))

function ReceivedFields({ fields, hasSample }: { fields: SampleField[]; hasSample: boolean }) {
  return (
    <section aria-label="What was received">
      <h2 className={classes.heading}>What was received</h2>
      {hasSample ? (
        <dl className={classes.fields}>
          {fields.map(({ path, label, value }) => (
            <div key={path}>
              <dt title={path}>{markBreaks(path.endsWith(label) ? path : `${label} (${path})`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={card.hint}>
          Nothing yet. Send a lead to the address above, by hand or with the service’s own test; it waits here and makes
          no lead before its fields are mapped.
        </p>
      )}
    </section>
  )
}

type FieldRowProps = {
  field: MappedField
  fields: SampleField[]
  preset: CustomSource['preset']
  chosen: FieldSource | undefined
  choose: (chosen: FieldSource | null) => void
}

const fixedChoice = '='

function FieldRow({ field, fields, preset, chosen, choose }: FieldRowProps) {
  const label = mappedFieldLabels[field]
  const isFixed = chosen !== undefined && 'value' in chosen
  const from = chosen && 'from' in chosen ? chosen.from : null
  const select = (value: string) => {
    if (value === '') choose(null)
    else choose(value === fixedChoice ? { value: '' } : { from: value })
  }
  return (
    <div className={classes.field}>
      <label>
        <span>{label}</span>
        <select
          name={field}
          aria-label={label}
          value={isFixed ? fixedChoice : (from ?? '')}
          onChange={(event) => select(event.currentTarget.value)}
        >
          <option value="">{preset ? `As ${sourcePresetTitles[preset]} says it` : 'Not mapped'}</option>
          <option value={fixedChoice}>The same for all…</option>
          {from !== null && !fields.some(({ path }) => path === from) && <option value={from}>{from}</option>}
          {fields.map(({ path, label }) => (
            <option key={path} value={path}>
              {path.endsWith(label) ? path : `${label} (${path})`}
            </option>
          ))}
        </select>
      </label>
      {isFixed && (
        <input
          aria-label={`${label} of all leads`}
          value={String(chosen.value)}
          maxLength={1000}
          onChange={(event) => choose({ value: event.currentTarget.value })}
        />
      )}
      {field === 'lead_type' && chosen && 'from' in chosen && (
        <TypeWords chosen={chosen} value={fields.find(({ path }) => path === chosen.from)?.value} choose={choose} />
      )}
    </div>
  )
}

type TypeWordsProps = {
  chosen: Extract<FieldSource, { from: string }>
  value: string | undefined
  choose: (chosen: FieldSource) => void
}

/** Maps each word that was seen or mapped to a lead type. Without a choice the word is read as it is. */
function TypeWords({ chosen, value, choose }: TypeWordsProps) {
  const words = [...new Set([...Object.keys(chosen.values ?? {}), ...(value ? [value] : [])])]
  const mean = (word: string, type: string) => {
    const { [word]: _, ...others } = chosen.values ?? {}
    choose({ from: chosen.from, values: type === '' ? others : { ...others, [word]: type } })
  }
  return words.map((word) => (
    <label key={word}>
      <span>‘{word}’ means</span>
      <select
        aria-label={`‘${word}’ means`}
        value={chosen.values?.[word] ?? ''}
        onChange={(event) => mean(word, event.currentTarget.value)}
      >
        <option value="">As received</option>
        {leadTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
    </label>
  ))
}
