import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { QueryError, QueryPending } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import card from '#ui/layout/Card.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { type Move, type MoveItem, movesContract } from '../contract.ts'
import { type ListedKind, listedKinds, movedKindLabels } from '../labels.ts'
import classes from './moves.module.css'

const perPage = 50
/** How soon the screen shows what was chosen or accepted elsewhere. */
export const quietPollMilliseconds = 5000

/** What was found, one by one, with a choice for each until the move is accepted. What is asked comes first. */
export function MoveItems({ move }: { move: Move }) {
  const isOpen = move.state === 'ready'
  const [kind, setKind] = useState<ListedKind | 'ask' | ''>(isOpen && move.questions > 0 ? 'ask' : '')
  const [page, setPage] = useState(1)
  const chosen = kind === 'ask' ? { becomes: 'ask' as const } : kind === '' ? {} : { kind }
  const { data, error, refetch } = useApi(movesContract.items, {
    params: { id: move.id },
    query: { ...chosen, page, per_page: perPage },
  })
  usePolling(isOpen, quietPollMilliseconds, () => void refetch())
  const names = new Map(move.connections.map(({ id, name }) => [id, name]))
  const total = data && 'total' in data ? data.total : 0
  const found = listedKinds.filter((one) => move.kinds.some((counted) => counted.kind === one && counted.found > 0))
  return (
    <section className={card.card}>
      <div className={arrange.row}>
        <h2>One by one</h2>
        <NativeSelect
          aria-label="Show"
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value as typeof kind)
            setPage(1)
          }}
          data={[
            { value: '', label: 'Everything' },
            { value: 'ask', label: 'To choose' },
            ...found.map((one) => ({ value: one, label: movedKindLabels[one] })),
          ]}
        />
      </div>
      {error && !data && <QueryError what="The plan" error={error} retry={refetch} />}
      {!data && !error && <QueryPending />}
      {data && (
        <PlainTable
          className={classes.wide}
          isStacked
          aria-label="One by one"
          rows={data.data}
          rowKey={({ key }) => key}
          none="Nothing of this kind"
          columns={[
            { title: 'Kind', cell: (item) => movedKindLabels[item.kind] },
            {
              title: 'Found',
              isName: true,
              cell: ({ from }) => (
                <>
                  {from.label}
                  {names.size > 1 && <p className={text.small}>{names.get(from.connection_id)}</p>}
                </>
              ),
            },
            {
              title: 'Becomes',
              cell: (item) => (
                <>
                  {isOpen ? <ItemChoice move={move.id} item={item} /> : describeOutcome(item)}
                  <p className={text.small}>{item.reason}</p>
                </>
              ),
            },
          ]}
        />
      )}
      {total > perPage && (
        <div className={arrange.buttons}>
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <span className={text.quiet}>
            {(page - 1) * perPage + 1}–{Math.min(page * perPage, total)} of {total.toLocaleString('en-US')}
          </span>
          <Button variant="default" disabled={page * perPage >= total} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </section>
  )
}

function describeOutcome({ choice, becomes, to, options }: MoveItem): string {
  if (choice === 'skip') return 'Left out'
  if (choice === 'new') return 'New'
  if (choice !== null) return options.find(({ id }) => id === choice)?.label ?? 'Here already'
  return becomes === 'same' ? (to?.label ?? 'Here already') : 'New'
}

function ItemChoice({ move, item }: { move: number; item: MoveItem }) {
  const { run, running } = useAction(movesContract.choose)
  const { key, becomes, to, choice, options, from } = item
  const value = choice ?? (becomes === 'ask' ? '' : becomes === 'same' ? (to?.id ?? '') : 'new')
  return (
    <NativeSelect
      aria-label={`What ${from.label} becomes`}
      disabled={running}
      value={String(value)}
      onChange={(event) => {
        const { value: picked } = event.currentTarget
        if (picked === '') return
        const wanted = options.find(({ id }) => String(id) === picked)?.id ?? picked
        void run({ params: { id: move }, body: { choices: { [key]: wanted } } })
      }}
      data={[
        ...(becomes === 'ask' && choice === null ? [{ value: '', label: 'Please choose' }] : []),
        { value: 'new', label: 'New' },
        ...options.map(({ id, label, reason }) => ({ value: String(id), label: `${label} (${reason})` })),
        { value: 'skip', label: 'Leave out' },
      ]}
    />
  )
}
