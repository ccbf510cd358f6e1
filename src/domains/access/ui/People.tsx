import { Button } from '@mantine/core'
import { IconDevices, IconPencil, IconTrash, IconZoomQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { auditLogContract } from '#domains/audit/contract.ts'
import type { ExplainedRow } from '#domains/ui-part.ts'
import { clippedTextCell, countCell } from '#ui/cells/cells.tsx'
import { EmailLink } from '#ui/cells/EmailCell.tsx'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn, TableSource } from '#ui/table/table-column.ts'
import text from '#ui/theme/text.module.css'
import { accessExplanationContract } from '../access-explanation/contract.ts'
import { leadsHandlersContract, type StaffMember, userSessionsContract } from '../contract.ts'
import { RequiredRolesButton } from '../second-factor/ui/RequiredRoles.tsx'
import { SeeAsButton } from '../see-as/ui/SeeAsButton.tsx'
import { useCurrentUser } from './current-user.ts'
import {
  EditAccountDialog,
  type EditableAccount,
  readAccount,
  type StaffContract,
  type StaffRoleTexts,
} from './EditAccountDialog.tsx'
import { NewAccountDialog } from './NewAccountDialog.tsx'

const AccessDialog = lazyComponent(() => import('../access-explanation/ui/AccessDialog.tsx'))
const SessionsDialog = lazyComponent(() => import('../sessions/ui/SessionsDialog.tsx'))

type StaffScreenProps = StaffRoleTexts & {
  title: string
  button: string
  createTitle: string
  contract: StaffContract
  people: TableSource<StaffMember>
  /** The rows to ask about in “What do they see?”. */
  explainedRows: readonly ExplainedRow[]
}

/** Admin Access and Leads Handlers Access: the table, and the dialogs to create and edit accounts. */
export function StaffScreen({
  title,
  button,
  createTitle,
  contract,
  people,
  explainedRows,
  ...texts
}: StaffScreenProps) {
  const me = useCurrentUser()
  const signedIn = useDialog<StaffMember>()
  const explained = useDialog<StaffMember>()
  const creating = useDialog()
  const editing = useReadDialog<EditableAccount>()
  const edit = ({ id, may_change }: StaffMember) =>
    void editing.read(async () => ({ ...readAccount(await callApi(contract.get, { params: { id } })), may_change }))
  // Ticks of a handler are merged: what the editor may not grant stays.
  const mayEdit = ({ may_change }: StaffMember) => may_change || contract === leadsHandlersContract
  return (
    <>
      <ListScreen
        table="admins"
        title={title}
        list={people}
        columns={staffColumns}
        buttons={
          <>
            {auditLogContract.list.allow(me) && (
              <Button variant="default" component={Link} to="/admin/audit">
                Audit Trail
              </Button>
            )}
            <RequiredRolesButton />
            <Button onClick={() => creating.open(undefined)}>{button}</Button>
          </>
        }
        actionsWidth={190}
        actions={(person) => (
          <>
            {userSessionsContract.list.allow(me) && (
              <IconButton label="Sessions" icon={IconDevices} onClick={() => signedIn.open(person)} />
            )}
            {person.may_change && (
              <>
                <SeeAsButton id={person.id} />
                {accessExplanationContract.why.allow(me) && (
                  <IconButton
                    label="What do they see?"
                    icon={IconZoomQuestion}
                    onClick={() => explained.open(person)}
                  />
                )}
              </>
            )}
            {mayEdit(person) && <IconButton label="Edit" icon={IconPencil} onClick={() => edit(person)} />}
            {person.may_change ? (
              <ActionButton
                call={contract.remove}
                input={{ params: { id: person.id } }}
                label="Delete"
                icon={IconTrash}
                details={[
                  `${person.username} (${person.email}), who has ${person.campaigns_count === 1 ? '1 campaign' : `${person.campaigns_count} campaigns`}.`,
                  'All sessions and API keys end at once. What the person did stays.',
                ]}
              />
            ) : (
              <span className={text.smaller}>{person.id === me?.id ? 'You' : 'Has more rights'}</span>
            )}
          </>
        )}
      />
      {signedIn.subject && (
        <Suspense>
          <SessionsDialog person={signedIn.subject} opened={signedIn.opened} onClose={signedIn.close} />
        </Suspense>
      )}
      {explained.subject && (
        <Suspense>
          <AccessDialog
            person={explained.subject}
            rows={explainedRows}
            opened={explained.opened}
            onClose={explained.close}
          />
        </Suspense>
      )}
      <NewAccountDialog title={createTitle} contract={contract} opened={creating.opened} onClose={creating.close} />
      {editing.subject && (
        <EditAccountDialog
          {...texts}
          contract={contract}
          account={editing.subject}
          opened={editing.opened}
          onClose={editing.close}
        />
      )}
    </>
  )
}

const staffColumns: TableColumn<StaffMember>[] = [
  { key: 'username', title: 'Name', pinned: 'start', width: 200, cell: ({ username }) => clippedTextCell(username) },
  { key: 'email', title: 'Email', width: 240, cell: ({ email }) => <EmailLink email={email} /> },
  {
    key: 'campaigns_count',
    title: 'Assigned Campaigns',
    align: 'end',
    cell: ({ campaigns_count }) => countCell(campaigns_count),
  },
]
