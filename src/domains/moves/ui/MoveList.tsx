import { Button, Checkbox } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { connectionsContract } from '#domains/connections/contract.ts'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError, QueryPending } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import card from '#ui/layout/Card.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { movesContract } from '../contract.ts'
import { describeMoveState } from '../labels.ts'

/** A new plan, and the moves so far. */
export function MoveList() {
  const moves = useApi(movesContract.list, { query: { per_page: 50 } })
  return (
    <ScreenFrame title="Moving in">
      <NewMove />
      {moves.error && <QueryError what="Moves" error={moves.error} retry={moves.refetch} />}
      {moves.data && moves.data.data.length > 0 && (
        <section className={card.card}>
          <h2>Moves</h2>
          <PlainTable
            aria-label="Moves"
            rows={moves.data.data}
            rowKey={({ id }) => id}
            columns={[
              {
                title: 'From',
                isName: true,
                cell: ({ id, connections }) => (
                  <Link to="/moves/$id" params={{ id: String(id) }}>
                    {connections.map(({ name }) => name).join(', ')}
                  </Link>
                ),
              },
              { title: 'State', cell: describeMoveState },
              { title: 'Started', cell: ({ created_at }) => <ShortTime at={created_at} /> },
            ]}
          />
        </section>
      )}
    </ScreenFrame>
  )
}

function NewMove() {
  const { data, error, refetch } = useApi(connectionsContract.list, {})
  const [chosen, setChosen] = useState<readonly number[] | null>(null)
  const { run, running } = useAction(movesContract.start)
  const navigate = useNavigate()
  if (error) return <QueryError what="Connections" error={error} retry={refetch} />
  if (!data) return <QueryPending />
  const sources = data.filter(({ kind }) => kind === 'legacy' || kind === 'callrail')
  const ids = chosen ?? sources.map(({ id }) => id)
  const begin = async () => {
    const outcome = await run({ body: { connections: [...ids] } })
    if (outcome.done) void navigate({ to: '/moves/$id', params: { id: String(outcome.answer.id) } })
  }
  return (
    <section className={card.card}>
      <h2>New move</h2>
      <p className={text.quiet}>
        Reads the old system and CallRail, and shows a plan. Nothing is saved before you accept, no one is emailed, and
        one undo takes everything back.
      </p>
      {sources.length === 0 ? (
        <p>
          Nothing to move from is connected. <Link to="/connections">Connect</Link> the old system or CallRail.
        </p>
      ) : (
        <>
          {sources.map(({ id, name, address, account }) => (
            <Checkbox
              key={id}
              label={`${name} · ${address ?? `CallRail ${account?.id ?? ''}`}`}
              checked={ids.includes(id)}
              onChange={() => setChosen(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id])}
            />
          ))}
          <div className={arrange.buttons}>
            <Button loading={running} disabled={ids.length === 0} onClick={() => void begin()}>
              Make a plan
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
