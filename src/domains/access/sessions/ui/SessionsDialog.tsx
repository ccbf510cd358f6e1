import { type StaffMember, type UserSession, userSessionsContract } from '#domains/access/contract.ts'
import classes from '#domains/access/ui/People.module.css'
import { textCell } from '#ui/cells/cells.tsx'
import { instantCell } from '#ui/cells/instant-cell.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { toTableSource } from '#ui/table/useArray.ts'
import text from '#ui/theme/text.module.css'

type SessionsDialogProps = { person: StaffMember; opened: boolean; onClose: () => void }

/** Lists a user's sessions, with a button to end them. */
export default function SessionsDialog({ person: { id, username }, opened, onClose }: SessionsDialogProps) {
  const list = useApi(userSessionsContract.list, { params: { id } }, { enabled: opened })
  return (
    <ModalDialog opened={opened} onClose={onClose} title={`Sessions of ${username}`} size="lg">
      <DataTable
        label="Sessions"
        list={toTableSource(
          list,
          list.data?.map((one, id) => ({ ...one, id })),
        )}
        columns={sessionColumns}
      />
      <div className={classes.role}>
        <p className={text.quiet}>A change of password, role or account ends them too.</p>
        <ActionButton call={userSessionsContract.end} input={{ params: { id } }} label="End all sessions" color="red" />
      </div>
    </ModalDialog>
  )
}

const viaLabels: Record<UserSession['via'], string> = {
  password: 'Password',
  remote_token: 'Sign-in link',
  passkey: 'Passkey',
  single_sign_on: 'Single sign-on',
  see_as: 'See as',
}

const sessionColumns: TableColumn<UserSession & { id: number }>[] = [
  { key: 'created_at', title: 'Since', telling: true, cell: ({ created_at }) => instantCell(created_at) },
  { key: 'expires_at', title: 'Until', cell: ({ expires_at }) => instantCell(expires_at) },
  { key: 'address', title: 'Address', telling: true, cell: ({ address }) => textCell(address) },
  { key: 'via', title: 'By', width: 120, telling: true, cell: ({ via }) => viaLabels[via] },
]
