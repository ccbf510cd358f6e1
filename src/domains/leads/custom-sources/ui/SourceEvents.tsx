import { renderBadge, textCell } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { refreshQueries } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import card from '#ui/layout/Card.module.css'
import { DataTable } from '#ui/table/DataTable.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import text from '#ui/theme/text.module.css'
import { customSourcesContract, type SourceEvent } from '../contract.ts'
import { sourceEventFields } from '../fields.ts'
import { sourceEventStateTitles } from '../labels.ts'

/** The events of a source and their outcomes. */
export function SourceEvents({ id }: { id: number }) {
  const list = useList(customSourcesContract.events, { params: { id }, keep: 'here' })
  const isProcessing = list.rows?.some(isWaitingForWorker) ?? false
  usePolling(isProcessing, pollIntervalMs, () => void refreshQueries(customSourcesContract.list.reads))
  const columns: TableColumn<SourceEvent, SortOf<typeof customSourcesContract.events>>[] = [
    ...eventColumns,
    {
      key: 'again',
      title: 'Actions',
      width: 110,
      pinned: 'end',
      cell: (event) => (
        <ActionButton
          call={customSourcesContract.replay}
          input={{ params: { id }, body: { ids: [event.id] } }}
          label="Replay"
          variant="subtle"
        />
      ),
    },
  ]
  return (
    <>
      <div className={card.row}>
        <h2>Events</h2>
        <ActionButton
          call={customSourcesContract.replay}
          input={{ params: { id }, body: {} }}
          label="Replay all without a lead"
        />
      </div>
      <DataTable label="Events" list={list} columns={columns} />
      <ListFooter list={list} totalLabel="Events" />
    </>
  )
}

/** An event that waits for a mapping says so. */
const isWaitingForWorker = ({ state, reason }: SourceEvent) => state === 'waiting' && !reason

const pollIntervalMs = 2000

const stateBadgeKinds = { lead: 'ok', quarantined: 'bad', waiting: 'neutral' } as const

const eventColumns = buildFieldColumns(
  sourceEventFields,
  {
    received_at: { key: 'received' },
    state: { cell: ({ state }) => renderBadge(stateBadgeKinds[state], sourceEventStateTitles[state]) },
    lead_id: {
      key: 'lead',
      align: 'end',
      cell: ({ lead_id }) => (
        <RecordLink kind="lead" id={lead_id}>
          {textCell(lead_id)}
        </RecordLink>
      ),
    },
    reason: { cell: ({ reason }) => <span className={text.breaking}>{reason}</span> },
    body: { cell: ({ body }) => <code className={`${text.smaller} ${text.breaking}`}>{body.slice(0, 300)}</code> },
  },
  ['received_at', 'state', 'lead_id', 'reason', 'body'],
)
