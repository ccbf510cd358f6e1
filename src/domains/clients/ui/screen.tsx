import { IconEye, IconPencil, IconReportAnalytics, IconTrash } from '@tabler/icons-react'
import { Suspense, use } from 'react'
import { SeeAsButton } from '#domains/access/ui/public.ts'
import { useNextSteps } from '#domains/campaigns/ui/public.ts'
import { ImportButton } from '#domains/imports/ui/public.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { clippedTextCell, renderBadge, textCell } from '#ui/cells/cells.tsx'
import { EmailCell } from '#ui/cells/EmailCell.tsx'
import { FoldedItems } from '#ui/cells/FoldedItems.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Client, clientsContract } from '../contract.ts'
import { clientFields, clientFilters } from '../fields.ts'
import { getNotificationsLabel, timezoneLabels } from '../labels.ts'
import { buildNewClientControls, EditClientDialog, newClientForm } from './EditClient.tsx'
import { ReportsDialogContext } from './reports-dialog.ts'
import { changeDeniedMessage, useActiveSwitch } from './useActiveSwitch.ts'

const filterControls = buildFilterControls(clientFilters)

/** Returns what the question before a removal says: a client with an active campaign is not removed. */
function describeRemoval({ name, user, campaigns }: Client): string[] {
  return [
    name,
    ...(user ? [`The login ${user.username} is closed.`] : []),
    ...(campaigns.length === 1 ? ['1 campaign stays, with its leads.'] : []),
    ...(campaigns.length > 1 ? [`${campaigns.length} campaigns stay, with their leads.`] : []),
  ]
}

export default function ClientsScreen() {
  const ReportsDialog = use(ReportsDialogContext)
  const list = useList(clientsContract.list)
  const editing = useDialog<Client>()
  const reports = useDialog<Client>()
  const { nextSteps, showNextSteps } = useNextSteps()
  const setActive = useActiveSwitch(list.patch)

  const columns = buildFieldColumns(clientFields, {
    id: { width: 78, cell: ({ id }) => id },
    name: {
      width: 144,
      pinned: 'start',
      cell: ({ id, name }) => (
        <RecordLink kind="client" id={id}>
          {clippedTextCell(name)}
        </RecordLink>
      ),
      plain: ({ name }) => name,
    },
    email: { width: 264, grows: true, telling: true, cell: ({ user }) => <EmailCell email={user?.email} /> },
    notifications: {
      width: 104,
      cell: ({ disable_notifications }) =>
        renderBadge(disable_notifications ? 'neutral' : 'ok', getNotificationsLabel(disable_notifications)),
    },
    timezone: { width: 122, grows: true, cell: ({ timezone }) => textCell(timezoneLabels[timezone] ?? timezone) },
    campaigns: {
      cell: ({ campaigns }) => (
        <FoldedItems items={campaigns} separator=", ">
          {({ id, name }) => (
            <RecordLink kind="campaign" id={id}>
              {name}
            </RecordLink>
          )}
        </FoldedItems>
      ),
      plain: ({ campaigns }) => campaigns.map(({ name }) => name).join(', '),
    },
    active: {
      width: 70,
      telling: true,
      cell: (client) => (
        <CellSwitch
          label={`${client.name} is active`}
          on={client.user?.is_active === 1}
          disabled={!client.may_change || !client.user}
          title={client.may_change ? undefined : changeDeniedMessage}
          set={(on) => setActive(client, on)}
        />
      ),
    },
  })

  return (
    <>
      <ListScreen
        table="clients"
        title="Clients"
        list={list}
        filters={filterControls}
        columns={columns}
        buttons={
          <>
            <ExportButton call={clientsContract.csv} input={{ query: getExportQuery(list) }} />
            <ImportButton what="clients" />
          </>
        }
        create={{
          call: clientsContract.create,
          button: 'Create New Client',
          start: newClientForm,
          fields: buildNewClientControls,
          onSaved: ({ id }) => showNextSteps({ of: 'client', id, isNew: true }),
        }}
        notice={nextSteps}
        actionsWidth={154}
        actions={(client) =>
          client.may_change && (
            <>
              {client.user?.is_active === 1 && (
                <Suspense fallback={<IconButton label="See as" icon={IconEye} loading onClick={() => undefined} />}>
                  <SeeAsButton id={client.user.id} />
                </Suspense>
              )}
              <IconButton label="Edit" icon={IconPencil} onClick={() => editing.open(client)} />
              <IconButton label="Reports" icon={IconReportAnalytics} onClick={() => reports.open(client)} />
              <ActionButton
                call={clientsContract.remove}
                input={{ params: { id: client.id } }}
                label="Delete"
                icon={IconTrash}
                details={describeRemoval(client)}
              />
            </>
          )
        }
      />
      {reports.subject && (
        <Suspense>
          <ReportsDialog client={reports.subject} opened={reports.opened} onClose={reports.close} />
        </Suspense>
      )}
      {editing.subject && <EditClientDialog client={editing.subject} opened={editing.opened} onClose={editing.close} />}
    </>
  )
}
