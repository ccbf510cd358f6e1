import { Modal } from '@mantine/core'
import { type OpenSession, type Person, sessions } from '#domains/access/contract.ts'
import classes from '#domains/access/ui/People.module.css'
import { peopleOf } from '#domains/access/ui/People.tsx'
import { text } from '#ui/cells/cells.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { type Column, DataTable } from '#ui/table/DataTable.tsx'

type Props = { person: Person; opened: boolean; onClose: () => void }

/** Where somebody is signed in, and the way to end it. */
export default function SessionsDialog({ person: { id, username }, opened, onClose }: Props) {
  const list = useApi(sessions.list, { params: { id } }, { enabled: opened })
  return (
    <Modal opened={opened} onClose={onClose} title={`Sessions of ${username}`} size="lg">
      <DataTable
        label="Sessions"
        list={peopleOf(
          list,
          list.data?.map((one, id) => ({ ...one, id })),
        )}
        columns={columns}
      />
      <div className={classes.role}>
        <p>A change of password, role or account ends them too.</p>
        <ActionButton call={sessions.end} input={{ params: { id } }} label="End all sessions" color="red" />
      </div>
    </Modal>
  )
}

const moment = (instant: string) =>
  new Date(instant).toLocaleString('en-US', { dateStyle: 'short', timeStyle: 'short' })

const columns: Column<OpenSession & { id: number }>[] = [
  { key: 'created_at', title: 'Since', cell: ({ created_at }) => moment(created_at) },
  { key: 'expires_at', title: 'Until', cell: ({ expires_at }) => moment(expires_at) },
  { key: 'address', title: 'Address', cell: ({ address }) => text(address) },
  { key: 'via', title: 'By', width: 120, cell: ({ via }) => (via === 'password' ? 'Password' : 'Sign-in link') },
]
