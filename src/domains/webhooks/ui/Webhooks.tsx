import { IconListDetails, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { clippedTextCell, renderBadge } from '#ui/cells/cells.tsx'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { RowActions } from '#ui/table/RowActions.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { useArray } from '#ui/table/useArray.ts'
import { type Webhook, webhooksContract } from '../contract.ts'
import { type WebhookEventType, webhookEventTitles } from '../labels.ts'
import { DeliveriesDialog } from './DeliveriesDialog.tsx'
import { webhookFields } from './webhook-fields.ts'

/** The webhooks that the user may change. */
export function WebhookList() {
  const list = useArray(webhooksContract.list)
  const editing = useDialog<Webhook>()
  const looking = useDialog<Webhook>()
  const columns: TableColumn<Webhook>[] = [
    ...webhookColumns,
    {
      key: 'actions',
      title: 'Actions',
      width: 170,
      pinned: 'end',
      cell: (webhook) => (
        <RowActions>
          <ActionButton
            call={webhooksContract.test}
            input={{ params: { id: webhook.id } }}
            label="Send a test message"
            icon={IconSend}
          />
          <IconButton label="Deliveries" icon={IconListDetails} onClick={() => looking.open(webhook)} />
          <IconButton label="Edit" icon={IconPencil} onClick={() => editing.open(webhook)} />
          <ActionButton
            call={webhooksContract.remove}
            input={{ params: { id: webhook.id } }}
            label="Delete"
            icon={IconTrash}
            details={[webhook.url]}
          />
        </RowActions>
      ),
    },
  ]
  return (
    <>
      <DataTable
        label="Webhooks"
        list={{ ...list, elsewhere: 'A webhook tells another program of each lead as it comes in or changes.' }}
        columns={columns}
        onOpen={looking.open}
      />
      <ListFooter list={list} isBrief />
      {editing.subject && (
        <FormDialog
          key={editing.subject.id}
          title="Edit Webhook"
          call={webhooksContract.update}
          params={{ id: editing.subject.id }}
          start={toForm(editing.subject)}
          fields={(controls) => ({
            ...webhookFields(controls),
            active: controls.toggleControl('Active'),
          })}
          conflict={{ read: toForm, shown: formatWebhookValue }}
          opened={editing.opened}
          onClose={editing.close}
        />
      )}
      {looking.subject && (
        <DeliveriesDialog webhook={looking.subject} opened={looking.opened} onClose={looking.close} />
      )}
    </>
  )
}

const toForm = ({ url, events, active, version }: Webhook) => ({ url, events, active, version })
const listEvents = (events: readonly WebhookEventType[]) => events.map((type) => webhookEventTitles[type]).join(', ')

function formatWebhookValue(name: string, value: unknown): string {
  if (name === 'events') return listEvents(value as WebhookEventType[]) // the value of its field
  return name === 'active' ? (value ? 'On' : 'Off') : String(value)
}

const webhookColumns: TableColumn<Webhook>[] = [
  { key: 'url', title: 'Address', width: 260, cell: ({ url }) => clippedTextCell(url) },
  {
    key: 'events',
    title: 'Events',
    cell: ({ events }) => listEvents(events),
  },
  {
    key: 'active',
    title: 'State',
    width: 110,
    cell: ({ active, problem }) =>
      active ? renderBadge(problem ? 'warn' : 'ok', problem ? 'Failing' : 'Active') : renderBadge('bad', 'Off'),
  },
  { key: 'problem', title: 'Problem', width: 220, cell: ({ problem }) => clippedTextCell(problem) },
  { key: 'created_at', title: 'Created', width: 110, cell: ({ created_at }) => formatInstantDay(created_at) },
]
