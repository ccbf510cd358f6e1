import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyButton } from '#ui/cells/cells.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { QueryError, QueryOutdated, QueryPending } from '#ui/feedback/QueryStates.tsx'
import card from '#ui/layout/Card.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { type CustomSource, customSourcesContract, type MappedSample } from '../contract.ts'
import { sourcePresetTitles } from '../labels.ts'
import { MappedPreview } from './MappedPreview.tsx'
import { MappingForm } from './MappingForm.tsx'
import { SourceEvents } from './SourceEvents.tsx'

/** One lead source: its address, mapping and events. */
export function SourceDetails({ id }: { id: number }) {
  const {
    data: source,
    error,
    isFetching,
    refetch,
  } = useApi(customSourcesContract.get, { params: { id } }, { quiet: true })
  const title = source?.name ?? 'Lead source'
  if (!source && error?.status === 404) return <NotFoundPage />
  return (
    <ScreenFrame
      title={`Lead Sources / ${title}`}
      heading={
        <>
          <Link to="/lead-sources" activeOptions={{ exact: true }} className={card.crumb}>
            Lead Sources
          </Link>
          {` / ${title}`}
        </>
      }
      actions={
        source && (
          <Button
            variant="default"
            loading={isFetching}
            onClick={() => void refreshQueries(customSourcesContract.list.reads)}
          >
            Look for events
          </Button>
        )
      }
    >
      {!source && (error ? <QueryError what="This lead source" error={error} retry={refetch} /> : <QueryPending />)}
      {source && error && <QueryOutdated what="This lead source" error={error} retry={refetch} />}
      {source && (
        <>
          <SourceAddress source={source} />
          <MappingForm source={source} />
          <SourceEvents key={source.last_event_at} id={id} />
        </>
      )}
    </ScreenFrame>
  )
}

function SourceAddress({
  source: { id, url, clientsite_url, campaign_name, preset, sample, version, last_event_at },
}: {
  source: CustomSource
}) {
  const [place, reads] = [campaign_name ?? 'No campaign', preset ? `, read as ${sourcePresetTitles[preset]}` : '']
  return (
    <section className={card.card} aria-label="Address">
      <TextInput
        label="Address"
        description="Where the service posts its leads, as JSON or as a form. Anyone who has it can send leads."
        value={url ?? ''}
        placeholder="Not shown in a view as another person"
        readOnly
        variant="filled"
        rightSection={url && <CopyButton value={url} what="Address" />}
      />
      <p className={card.hint}>
        {clientsite_url
          ? `The leads belong to ${clientsite_url} (${place})${reads}.`
          : 'The client site was deleted: what comes in is put aside. Choose another with Edit in the list, then press Replay all without a lead.'}
      </p>
      {/* Another mapping or event has another result. */}
      {sample !== null && <SourceTest key={`${version} ${last_event_at}`} id={id} />}
    </section>
  )
}

/** Shows what the saved mapping makes of the newest event. */
function SourceTest({ id }: { id: number }) {
  const test = useAction(customSourcesContract.test, { quiet: true })
  const [result, setResult] = useState<MappedSample | null>(null)
  async function run() {
    const outcome = await test.run({ params: { id }, body: {} })
    if (outcome.done) setResult(outcome.answer)
  }
  return (
    <>
      <div className={card.row}>
        <Button variant="default" loading={test.running} onClick={() => void run()}>
          Test
        </Button>
        {result && (
          <span role="status" className={card.hint}>
            {result.problems.length === 0
              ? 'The saved mapping reads the newest event. Nothing was written.'
              : 'The saved mapping cannot read the newest event:'}
          </span>
        )}
      </div>
      {result && result.problems.length > 0 && <MappedPreview {...result} />}
    </>
  )
}
