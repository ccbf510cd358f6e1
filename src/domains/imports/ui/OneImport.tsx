import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { countOf } from '#contract/count-of.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { QueryError, QueryPending } from '#ui/feedback/QueryStates.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import card from '#ui/layout/Card.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import text from '#ui/theme/text.module.css'
import { type Import, importsContract } from '../contract.ts'
import { formatKindCount, getListPath, importKindTitles, isImportBusy, isImportDraft } from '../labels.ts'
import { ColumnsForm } from './ColumnsForm.tsx'
import { renderStateBadge } from './History.tsx'
import classes from './Imports.module.css'
import { ImportProblems } from './Problems.tsx'

/** Milliseconds between two polls of a running task. */
const pollIntervalMs = 1000

/** One import: its columns, the outcome of its lines, the run and the undo. */
export function ImportDetails({ id }: { id: number }) {
  const one = useImport(id)
  const title = one.data?.file_name ?? 'Import'
  if (!one.data && one.error?.status === 404) return <NotFoundPage />
  return (
    <ScreenFrame
      title={`Import / ${title}`}
      heading={
        <>
          <Link to="/import" activeOptions={{ exact: true }} className={card.crumb}>
            Import
          </Link>
          {` / ${title}`}
        </>
      }
      actions={one.data && renderStateBadge(one.data)}
    >
      {one.data ? (
        <ImportStage one={one.data} />
      ) : one.error ? (
        <QueryError what="This import" error={one.error} retry={one.refetch} />
      ) : (
        <QueryPending />
      )}
    </ScreenFrame>
  )
}

/** Polls while a job is working, and reloads everything when it is done. */
function useImport(id: number) {
  const answer = useApi(importsContract.get, { params: { id } }, { quiet: true })
  const { refetch, data } = answer
  const busy = data !== undefined && isImportBusy(data.state)
  usePolling(busy, pollIntervalMs, () => void refetch())
  useEffect(() => (busy ? () => void refreshQueries(importsContract.list.reads) : undefined), [busy])
  return answer
}

function ImportStage({ one }: { one: Import }) {
  const [{ step }, write] = useSearchParams()
  const toColumns = () => write((before) => ({ ...before, step: 'columns' }))
  const toLines = () => write(({ step: _, ...rest }) => rest)
  const leave = () => write(() => ({ what: one.kind }))
  const isMapping = one.state === 'mapping' || (isImportDraft(one.state) && step === 'columns')
  if (isMapping) return <ColumnsForm one={one} onChecking={toLines} onDiscarded={leave} />
  if (isImportBusy(one.state)) return <ImportProgress one={one} toColumns={toColumns} />
  return (
    <>
      <div className={card.card}>
        <ImportCountList one={one} />
        <p className={classes.sentence}>{describeImport(one)}</p>
        <div className={card.row}>
          {one.state === 'checked' && (
            <>
              {one.fresh > 0 && <RunImportButton one={one} />}
              <Button variant="default" onClick={toColumns}>
                Change columns
              </Button>
              <ActionButton
                call={importsContract.discard}
                input={{ params: { id: one.id } }}
                label="Discard"
                details={[one.file_name]}
                onDone={leave}
              />
            </>
          )}
          {one.state === 'done' && one.made > 0 && <UndoImportButton one={one} />}
          {one.state !== 'checked' && (
            <Button variant="default" component={Link} to={getListPath(one.kind)}>
              To {importKindTitles[one.kind]}
            </Button>
          )}
        </div>
      </div>
      <ImportProblems key={one.state} one={one} />
    </>
  )
}

/** Describes the outcome of the lines. */
function describeImport(one: Import): string {
  const { kind, state, fresh, known, refused, made, removed, kept } = one
  const mend = 'Fix them in your file and import it again: what is imported already stays as it is.'
  const left = refused > 0 ? ` ${countOf(refused, 'line')} ${refused === 1 ? 'is' : 'are'} refused and left out.` : ''
  if (state === 'checked') {
    const there = known > 0 ? ` ${countOf(known, 'line')} ${known === 1 ? 'is' : 'are'} in the system already.` : ''
    const nothing =
      known > 0 && refused === 0 ? 'Nothing in this file is new.' : 'No line of this file can be imported yet.'
    const coming = fresh > 0 ? `${formatKindCount(kind, fresh)} will be created.` : nothing
    return `${coming}${there}${left} Nothing has been written yet.`
  }
  if (state === 'undone')
    return kept > 0
      ? `${formatKindCount(kind, removed)} removed; ${formatKindCount(kind, kept)} kept, because someone has changed or used them since.`
      : `${formatKindCount(kind, removed)} removed.`
  return `${formatKindCount(kind, made)} created.${left}${refused > 0 ? ` ${mend}` : ''}`
}

function RunImportButton({ one }: { one: Import }) {
  const { id, kind, fresh, known, refused } = one
  const details = [
    `${formatKindCount(kind, fresh)} will be created`,
    ...(known > 0 ? [`${countOf(known, 'line')}: in the system already, nothing changes`] : []),
    ...(refused > 0 ? [`${countOf(refused, 'line')}: refused, left out`] : []),
    ...(kind === 'leads' ? ['No emails are sent'] : []),
    ...(kind === 'admins' || kind === 'leads-handlers' ? ['Each gets an email with a link to choose a password'] : []),
  ]
  const { run, running } = useAction(importsContract.run, { details })
  return (
    <Button loading={running} onClick={() => void run({ params: { id } })}>
      Import {formatKindCount(kind, fresh)}
    </Button>
  )
}

function UndoImportButton({ one: { id, kind, made } }: { one: Import }) {
  const details = [
    `${formatKindCount(kind, made)} will be removed, except those that someone has changed or used since`,
  ]
  const { run, running } = useAction(importsContract.undo, { details })
  return (
    <Button variant="default" loading={running} onClick={() => void run({ params: { id } })}>
      Undo import
    </Button>
  )
}

/** A job is at work, or has stopped. */
function ImportProgress({ one, toColumns }: { one: Import; toColumns: () => void }) {
  const { id, state, kind, lines, made, removed, kept, dealt_with, problem } = one
  const isUndoing = state === 'undoing'
  const [done, all] = isUndoing ? [removed + kept, made] : [dealt_with, lines]
  const doing = isUndoing ? 'Removing what came from' : state === 'checking' ? 'Checking every line of' : 'Importing'
  const label = `${doing} ${one.file_name}`
  return (
    <div className={card.card}>
      <p className={classes.sentence}>{label}</p>
      <progress className={classes.progress} value={done} max={all} aria-label={label} />
      <p className={card.hint} role="status">
        {done.toLocaleString('en-US')} of {isUndoing ? formatKindCount(kind, all) : countOf(all, 'line')}
      </p>
      {problem !== null && (
        <>
          <p role="alert" className={card.hint} data-kind="bad">
            {problem}
          </p>
          <div className={card.row}>
            {state === 'checking' ? (
              <Button onClick={toColumns}>Check again</Button>
            ) : (
              <ActionButton
                call={isUndoing ? importsContract.undo : importsContract.run}
                input={{ params: { id } }}
                label="Resume"
                variant="filled"
              />
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** The few numbers that matter, side by side. */
function ImportCountList({ one }: { one: Import }) {
  return (
    <dl className={arrange.spread}>
      {listCounts(one).map(([label, value, kind]) => (
        <div key={label} data-kind={value > 0 ? kind : undefined}>
          <dt className={text.caption}>{label}</dt>
          <dd>{value.toLocaleString('en-US')}</dd>
        </div>
      ))}
    </dl>
  )
}

type CountItem = [label: string, value: number, kind: 'ok' | 'bad' | 'warn' | 'neutral']

function listCounts({ state, lines, fresh, known, refused, made, removed, kept }: Import): CountItem[] {
  const all: CountItem = ['Lines', lines, 'neutral']
  if (state === 'undone') return [all, ['Created', made, 'neutral'], ['Removed', removed, 'ok'], ['Kept', kept, 'warn']]
  const first: CountItem = state === 'checked' ? ['New', fresh, 'ok'] : ['Created', made, 'ok']
  return [all, first, ['Already there', known, 'neutral'], ['Refused', refused, 'bad']]
}
