import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { countOf } from '#contract/count-of.ts'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { QueryError, QueryPending } from '#ui/feedback/QueryStates.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import card from '#ui/layout/Card.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { type Move, movesContract } from '../contract.ts'
import { describeMoveState, isHalted, isMoving, movedKindLabels } from '../labels.ts'
import { MoveDifferences } from './MoveDifferences.tsx'
import { MoveItems, quietPollMilliseconds } from './MoveItems.tsx'
import classes from './moves.module.css'

const pollMilliseconds = 1000

/** A move: its plan and choices, what was written and kept, and what differs. */
export function MoveDetails({ id }: { id: string }) {
  const { data, error, refetch } = useApi(movesContract.get, { params: { id: Number(id) || 0 } }, { quiet: true })
  const isBusy = data !== undefined && isMoving(data.state) && !isHalted(data.state, data.says)
  const isHistoryOpen = data?.history?.state === 'reading' || data?.history?.state === 'waiting'
  // A plan may be accepted elsewhere.
  usePolling(
    isBusy || isHistoryOpen || data?.state === 'ready',
    isBusy ? pollMilliseconds : quietPollMilliseconds,
    () => void refetch(),
  )
  useEffect(() => (isBusy ? () => void refreshQueries(movesContract.get.reads) : undefined), [isBusy])
  if (error?.status === 404 && !data) return <NotFoundPage />
  const from = data?.connections.map(({ name }) => name).join(', ') ?? ''
  return (
    <ScreenFrame
      title={`Moving in / ${from}`}
      heading={
        <>
          <Link to="/moves" activeOptions={{ exact: true }} className={card.crumb}>
            Moving in
          </Link>
          {` / ${from}`}
        </>
      }
      actions={data && <MoveActions move={data} />}
    >
      {error && !data && <QueryError what="This move" error={error} retry={refetch} />}
      {!data && !error && <QueryPending />}
      {data && <MoveParts move={data} />}
    </ScreenFrame>
  )
}

/** Returns the lines under the question before an undo: what goes. */
const describeUndo = ({ kinds }: Move): string[] => [
  'What this move brought is removed, except what someone has changed since.',
  kinds
    .filter(({ kind, new: made }) => toldKinds.has(kind) && made > 0)
    .map(({ kind, new: made }) => `${movedKindLabels[kind]}: ${made.toLocaleString('en-US')}`)
    .join(', '),
]
const toldKinds: ReadonlySet<string> = new Set(['client', 'campaign', 'lead'])

function MoveActions({ move }: { move: Move }) {
  const { id, state, says, questions, uninvited } = move
  const accept = useAction(movesContract.accept)
  const input = { params: { id } }
  const stopped = isHalted(state, says) ? state : null
  if (stopped === 'undoing')
    return <ActionButton call={movesContract.undo} input={input} label="Go on" variant="filled" />
  if (state === 'ready')
    return isEmpty(move) ? null : (
      <Button loading={accept.running} disabled={questions > 0} onClick={() => void accept.run(input)}>
        Accept
      </Button>
    )
  if (state !== 'done' && stopped === null) return null
  return (
    <>
      <ActionButton
        call={movesContract.undo}
        input={input}
        label="Undo"
        variant="default"
        details={describeUndo(move)}
      />
      {stopped && <ActionButton call={movesContract.accept} input={input} label="Go on" variant="filled" />}
      {uninvited > 0 && (
        <ActionButton
          call={movesContract.invite}
          input={{ ...input, body: {} }}
          label={`Invite ${countOf(uninvited, 'person', 'people')}`}
          success={({ invited }) => (invited === 1 ? '1 person is invited' : `${invited} people are invited`)}
        />
      )}
    </>
  )
}

function MoveParts({ move }: { move: Move }) {
  const { id, state, kinds, kept } = move
  const lacks = [...new Set(kinds.flatMap((one) => one.lacks))]
  return (
    <>
      <section className={card.card}>
        <h2>{describeMoveState(move)}</h2>
        <p role="status">{describeMove(move)}</p>
        {!isEmpty(move) && (
          <PlainTable
            className={classes.wide}
            aria-label="What was found"
            rows={kinds.filter(({ found }) => found > 0)}
            rowKey={({ kind }) => kind}
            columns={[
              { title: 'Kind', isName: true, cell: ({ kind }) => movedKindLabels[kind] },
              ...countColumns
                .filter(({ count, isOptional }) => !isOptional || kinds.some((one) => count(one) > 0))
                .map(({ title, count }) => ({
                  title,
                  align: 'end' as const,
                  cell: (one: CountedKind) => count(one).toLocaleString('en-US'),
                })),
            ]}
          />
        )}
        {state === 'done' && (
          <p className={arrange.rowNarrow}>
            <Link to="/campaigns">Open Campaigns</Link> <Link to="/leads">Open Leads</Link>
          </p>
        )}
        {lacks.length > 0 && state !== 'undone' && (
          <details open={state === 'ready'} className={`${classes.lacks} ${text.small}`}>
            <summary>What isn’t moved</summary>
            <ul>
              {lacks.map((says) => (
                <li key={says}>{says}</li>
              ))}
            </ul>
          </details>
        )}
      </section>
      {move.history && <MoveHistory history={move.history} />}
      {kept.length > 0 && (
        <section className={card.card}>
          <h2>{state === 'undone' || state === 'undoing' ? 'What stays' : 'What was left out'}</h2>
          <PlainTable
            aria-label="Kept"
            rows={kept}
            rowKey={(one, index) => `${one.kind} ${one.id} ${index}`}
            columns={[
              { title: 'Kind', cell: ({ kind }) => movedKindLabels[kind] },
              { title: 'Name', isName: true, cell: ({ label }) => label },
              { title: 'Why', cell: ({ reason }) => reason },
            ]}
          />
        </section>
      )}
      {state !== 'reading' && state !== 'failed' && !isEmpty(move) && <MoveItems key={state} move={move} />}
      {state === 'done' && kinds.some(({ kind }) => kind !== 'callrail_company') && <MoveDifferences id={id} />}
      {state === 'failed' && (
        <p className={text.quiet}>
          <Link to="/connections">Check the connection</Link>, then <Link to="/moves">make a new plan</Link>.
        </p>
      )}
    </>
  )
}

type CountedKind = Move['kinds'][number]
type CountColumn = { title: string; count: (kind: CountedKind) => number; isOptional?: true }
const countColumns: CountColumn[] = [
  { title: 'Found', count: ({ found }) => found },
  { title: 'New', count: (kind) => kind.new },
  { title: 'Here already', count: ({ same }) => same, isOptional: true },
  { title: 'Left out', count: ({ found, same, ask, ...kind }) => found - kind.new - same - ask, isOptional: true },
  { title: 'To choose', count: ({ ask }) => ask, isOptional: true },
]

/** How far CallRail's calls and forms of the time before are; they come in behind what was moved. */
function MoveHistory({ history: { state, says, read, of, until } }: { history: NonNullable<Move['history']> }) {
  const count = `${read.toLocaleString('en-US')}${of === null ? '' : ` of ${of.toLocaleString('en-US')}`} calls and forms`
  const back = formatInstantDay(until)
  return (
    <section className={card.card}>
      <h2>History</h2>
      <p role="status">
        {state === 'done'
          ? `${count} read, back to ${back}.`
          : `${count} read so far, back to ${back}. You can leave this page.`}
        {state === 'waiting' && says && ` ${says}.`}
      </p>
      <p className={text.quiet}>Calls and forms from before the account was connected. No one is emailed about them.</p>
    </section>
  )
}

const isEmpty = ({ kinds }: Move) => kinds.every(({ found }) => found === 0)

function describeMove(move: Move): string {
  const { state, says, progress, questions, kept, uninvited } = move
  const { done, of } = progress
  const part = of === null ? '' : ` ${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`
  if (state === 'failed') return `${says ?? 'The plan could not be made'}.`
  if (state === 'reading') return `Reading${part ? `:${part}.` : '…'}${says === null ? '' : ` ${says}.`}`
  if (state === 'ready' && isEmpty(move)) return 'Nothing was found that could be moved.'
  if (state === 'ready')
    return questions === 0
      ? 'Everything is matched. Nothing has been saved yet: Accept saves it. No one is emailed.'
      : `${countOf(questions, 'item')} below still ${questions === 1 ? 'needs' : 'need'} your choice. Nothing has been saved yet.`
  if (isHalted(state, says))
    return state === 'writing'
      ? `${says}. Saved so far:${part}. Go on, or undo what was saved.`
      : `${says}. Undone so far:${part}. Go on with the undo.`
  if (state === 'writing') return `Saving:${part}. You can leave this page.`
  if (state === 'undoing') return `Undoing:${part}. You can leave this page.`
  if (state === 'undone') return kept.length > 0 ? 'Undone, except for what is listed below.' : 'Everything was undone.'
  return uninvited > 0 ? `Saved:${part}. Invite the people once their campaigns look right.` : `Saved:${part}.`
}
