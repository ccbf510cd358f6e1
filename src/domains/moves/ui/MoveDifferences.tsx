import { useApi } from '#ui/data/useApi.ts'
import { QueryError, QueryPending } from '#ui/feedback/QueryStates.tsx'
import card from '#ui/layout/Card.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { movesContract } from '../contract.ts'
import { movedKindLabels } from '../labels.ts'
import classes from './moves.module.css'

/** What the old system has, beside what has come along. */
export function MoveDifferences({ id }: { id: number }) {
  const query = { params: { id }, query: { per_page: 200 } }
  const { data, error, refetch } = useApi(movesContract.differences, query, { quiet: true })
  const open = data?.data.filter(({ theirs, ours }) => theirs !== ours).length ?? 0
  const total = data && 'total' in data ? data.total : 0
  const among =
    data && total > data.data.length ? ` among the first ${data.data.length} of ${total.toLocaleString('en-US')}` : ''
  return (
    <section className={card.card}>
      <h2>Differences</h2>
      {error && <QueryError what="The differences" error={error} retry={refetch} />}
      {!data && !error && <QueryPending />}
      {data && (
        <>
          <p className={text.quiet}>
            {open === 0 ? 'Nothing differs' : open === 1 ? '1 number differs' : `${open} numbers differ`}
            {among}. The old system is read again at most once a minute.
          </p>
          <PlainTable
            className={classes.wide}
            aria-label="Differences"
            rows={data.data}
            rowKey={({ kind, month }) => `${kind} ${month}`}
            columns={[
              {
                title: 'Kind',
                isName: true,
                cell: ({ kind, rows }) => (rows ? <a href={rows}>{movedKindLabels[kind]}</a> : movedKindLabels[kind]),
              },
              { title: 'Month', cell: ({ month }) => month ?? '–' },
              { title: 'Old system', align: 'end', cell: ({ theirs }) => theirs.toLocaleString('en-US') },
              { title: 'Here', align: 'end', cell: ({ ours }) => ours.toLocaleString('en-US') },
              {
                title: 'Why',
                cell: ({ theirs, ours, explained }) =>
                  explained ?? (theirs === ours ? '' : 'No explanation found: compare both lists'),
              },
            ]}
          />
        </>
      )}
    </section>
  )
}
