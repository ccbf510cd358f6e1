import { Button } from '@mantine/core'
import { IconRefresh, IconRepeat } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { clippedTextCell, countCell, renderBadge, textCell } from '#ui/cells/cells.tsx'
import { instantCell } from '#ui/cells/instant-cell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { toTableSource } from '#ui/table/useArray.ts'
import { type Webhook, type WebhookDelivery, webhooksContract } from '../contract.ts'
import { testMessageType, webhookEventTitles } from '../labels.ts'
import classes from './DeliveriesDialog.module.css'

/** Between readings of the list until it has the attempt of a message that is sent again. */
const pollMilliseconds = 1000

type DeliveriesDialogProps = { webhook: Webhook; opened: boolean; onClose: () => void }

/** The attempts of a webhook with their responses, and a button to send each again. */
export function DeliveriesDialog({ webhook, opened, onClose }: DeliveriesDialogProps) {
  return (
    <ModalDialog opened={opened} onClose={onClose} title={`Deliveries to ${new URL(webhook.url).host}`} size="80rem">
      <Deliveries webhook={webhook} />
    </ModalDialog>
  )
}

function Deliveries({ webhook: { id } }: { webhook: Webhook }) {
  const read = useApi(webhooksContract.deliveries, { params: { id } }, { quiet: true })
  const { data = [] } = read
  const [resent, setResent] = useState<{ message: string; newest: number } | null>(null)
  const isAnswered = data.some(({ id: at, message_id }) => at > (resent?.newest ?? 0) && message_id === resent?.message)
  // The list behind as well: an attempt changes what it says of the webhook.
  const refresh = () => void refreshQueries(webhooksContract.deliveries.reads)
  const isWaiting = resent !== null && !isAnswered
  usePolling(isWaiting, pollMilliseconds, refresh)
  // The list behind may have been read just before the attempt was written.
  useEffect(() => (isWaiting ? () => void refreshQueries(webhooksContract.deliveries.reads) : undefined), [isWaiting])
  const columns: TableColumn<WebhookDelivery>[] = [
    ...deliveryColumns,
    {
      key: 'actions',
      title: 'Actions',
      width: 80,
      pinned: 'end',
      cell: (delivery) => (
        <ActionButton
          call={webhooksContract.resend}
          input={{ params: { id, delivery: delivery.id } }}
          label="Send again"
          icon={IconRepeat}
          onDone={() => setResent({ message: delivery.message_id, newest: data[0]?.id ?? 0 })}
        />
      ),
    },
  ]
  return (
    <div className={classes.deliveries}>
      <div>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          loading={read.isFetching}
          onClick={refresh}
        >
          Refresh
        </Button>
      </div>
      <DataTable label="Deliveries" list={toTableSource(read, read.data)} columns={columns} />
    </div>
  )
}

const isTaken = (status: number | null) => status !== null && status >= 200 && status < 300

const deliveryColumns: TableColumn<WebhookDelivery>[] = [
  { key: 'at', title: 'At', width: 150, telling: true, cell: ({ at }) => instantCell(at) },
  {
    key: 'type',
    title: 'Message',
    width: 190,
    telling: true,
    cell: ({ type }) => (type === testMessageType ? 'Test' : webhookEventTitles[type]),
  },
  {
    key: 'lead_id',
    title: 'Lead',
    width: 110,
    cell: ({ lead_id }) => (
      <RecordLink kind="lead" id={lead_id}>
        {lead_id === null ? textCell(null) : `No. ${lead_id}`}
      </RecordLink>
    ),
  },
  { key: 'attempt', title: 'Try', width: 60, align: 'end', cell: ({ attempt }) => countCell(attempt) },
  {
    key: 'status',
    title: 'Status',
    width: 100,
    telling: true,
    cell: ({ status }) => renderBadge(isTaken(status) ? 'ok' : 'bad', status ?? 'No answer'),
  },
  { key: 'answer', title: 'Answer', cell: ({ answer }) => clippedTextCell(answer) },
  { key: 'ms', title: 'ms', width: 80, align: 'end', cell: ({ ms }) => countCell(ms) },
  { key: 'message_id', title: 'Message ID', width: 160, cell: ({ message_id }) => clippedTextCell(message_id) },
]
