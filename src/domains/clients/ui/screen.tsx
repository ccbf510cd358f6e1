import { IconPencil, IconTrash } from '@tabler/icons-react'
import { ImportButton } from '#domains/imports/ui/ImportButton.tsx'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { badge, CopyButton, clipped, text } from '#ui/cells/cells.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { search } from '#ui/filters/filters.tsx'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import type { Column } from '#ui/table/DataTable.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { SortOf } from '#ui/table/useList.ts'
import { useList } from '#ui/table/useList.ts'
import { type Client, clients } from '../contract.ts'
import { notifications, timezones, clientColumnTitles as titles } from '../labels.ts'
import { EditClient, fields, newClient } from './EditClient.tsx'
import classes from './screen.module.css'

export default function Clients() {
  const list = useList(clients.list)
  const editing = useDialog<Client>()
  const setActive = useActive(list)

  const columns: Column<Client, SortOf<typeof clients.list>>[] = [
    { key: 'id', title: titles.id, sort: 'id', align: 'end', width: 84, cell: ({ id }) => id },
    { key: 'name', title: titles.name, sort: 'name', pinned: 'start', width: 200, cell: ({ name }) => clipped(name) },
    { key: 'email', title: titles.email, sort: 'user.email', width: 220, cell: ({ user }) => email(user?.email) },
    {
      key: 'notifications',
      title: titles.notifications,
      sort: 'disable_notifications',
      width: 116,
      cell: (client) =>
        badge(client.disable_notifications ? 'neutral' : 'ok', notifications(client.disable_notifications)),
    },
    {
      key: 'timezone',
      title: titles.timezone,
      sort: 'timezone',
      width: 204,
      cell: ({ timezone }) => clipped(timezones[timezone] ?? timezone),
    },
    {
      key: 'campaigns',
      title: titles.campaigns,
      cell: ({ campaigns }) => clipped(campaigns.map(({ name }) => name).join(', ')),
    },
    {
      key: 'active',
      title: titles.active,
      sort: 'user.is_active',
      width: 80,
      cell: (client) => (
        <CellSwitch
          label={`${client.name} is active`}
          on={client.user?.is_active === 1}
          disabled={!client.may_change || !client.user}
          title={client.may_change ? undefined : notTheirs}
          set={(on) => setActive(client, on)}
        />
      ),
    },
  ]

  return (
    <>
      <ListScreen
        table="clients"
        title="Clients"
        list={list}
        filters={{ search: search('Search by Name or Email') }}
        columns={columns}
        buttons={
          <>
            <ExportButton call={clients.csv} input={{ query: askedOf(list) }} />
            <ImportButton what="clients" />
          </>
        }
        create={{ call: clients.create, button: 'Create New Client', start: newClient, fields }}
        actionsWidth={100}
        actions={(client) =>
          client.may_change && (
            <>
              <IconButton label="Edit" onClick={() => editing.open(client)}>
                <IconPencil size={16} aria-hidden="true" />
              </IconButton>
              <ActionButton
                call={clients.remove}
                input={{ params: { id: client.id } }}
                label="Delete"
                icon={<IconTrash size={16} aria-hidden="true" />}
              />
            </>
          )
        }
      />
      {editing.subject && <EditClient client={editing.subject} opened={editing.opened} onClose={editing.close} />}
    </>
  )
}

const notTheirs = 'Only who has all campaigns of this client may change it'

function email(address: string | undefined) {
  if (!address) return text(null)
  return (
    <span className={classes.email}>
      <a href={`mailto:${address}`} title={address}>
        {address}
      </a>
      <CopyButton value={address} what="email" />
    </span>
  )
}

/** Switches an account on or off: seen at once, taken back when it fails, and offered to be undone. */
function useActive({ patch }: Pick<ReturnType<typeof useList<typeof clients.list>>, 'patch'>) {
  const status = useAction(clients.status, { quiet: true })
  const said = useAction(clients.status, {
    undo: ({ body }) => void status.run({ body: { id: body.id, is_active: body.is_active ? 0 : 1 } }),
  })
  return async ({ id, user }: Client, on: boolean) => {
    if (!user) return
    const takeBack = patch(id, { user: { ...user, is_active: on ? 1 : 0 } })
    const outcome = await said.run({ body: { id, is_active: on ? 1 : 0 } })
    if (!outcome.done) takeBack()
  }
}
