import { Button } from '@mantine/core'
import { IconDevices, IconPencil, IconTrash, IconZoomQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { auditLogContract } from '#domains/audit/contract.ts'
import { clippedTextCell, countCell } from '#ui/cells/cells.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import type { RowEndpoint } from '#ui/table/ListScreen.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { RowActions } from '#ui/table/RowActions.tsx'
import type { TableColumn, TableSource } from '#ui/table/table-column.ts'
import { accessExplanationContract } from '../access-explanation/contract.ts'
import { type StaffMember, userSessionsContract } from '../contract.ts'
import { RequiredRolesButton } from '../second-factor/ui/RequiredRoles.tsx'
import { SeeAsButton } from '../see-as/ui/SeeAsButton.tsx'
import { useCurrentUser } from './current-user.ts'
import classes from './People.module.css'

const AccessDialog = lazyComponent(() => import('../access-explanation/ui/AccessDialog.tsx'))
const SessionsDialog = lazyComponent(() => import('../sessions/ui/SessionsDialog.tsx'))

type StaffScreenProps = {
  title: string
  button: string
  people: TableSource<StaffMember>
  remove: RowEndpoint
  onCreate: () => void
  onEdit: (person: StaffMember) => void
}

/** The table of Admin Access and of Leads Handlers Access. */
export function StaffScreen({ title, button, people, remove, onCreate, onEdit }: StaffScreenProps) {
  const me = useCurrentUser()
  const signedIn = useDialog<StaffMember>()
  const explained = useDialog<StaffMember>()
  const actions = (person: StaffMember) => (
    <RowActions>
      {userSessionsContract.list.allow(me) && (
        <IconButton label="Sessions" icon={IconDevices} onClick={() => signedIn.open(person)} />
      )}
      {person.may_change && (
        <>
          <SeeAsButton id={person.id} />
          {accessExplanationContract.why.allow(me) && (
            <IconButton label="What do they see?" icon={IconZoomQuestion} onClick={() => explained.open(person)} />
          )}
          <IconButton label="Edit" icon={IconPencil} onClick={() => onEdit(person)} />
          <ActionButton call={remove} input={{ params: { id: person.id } }} label="Delete" icon={IconTrash} />
        </>
      )}
      {!person.may_change && <span className={classes.hint}>{person.id === me?.id ? 'You' : 'Has more rights'}</span>}
    </RowActions>
  )
  return (
    <ScreenFrame
      title={title}
      actions={
        <>
          {auditLogContract.list.allow(me) && (
            <Button variant="default" component={Link} to="/admin/audit">
              Audit Trail
            </Button>
          )}
          <RequiredRolesButton />
          <Button onClick={onCreate}>{button}</Button>
        </>
      }
    >
      <DataTable
        table="admins"
        label={title}
        list={people}
        columns={[...staffColumns, { ...actionColumn, cell: actions }]}
      />
      <ListFooter table="admins" list={people} />
      {signedIn.subject && (
        <Suspense>
          <SessionsDialog person={signedIn.subject} opened={signedIn.opened} onClose={signedIn.close} />
        </Suspense>
      )}
      {explained.subject && (
        <Suspense>
          <AccessDialog person={explained.subject} opened={explained.opened} onClose={explained.close} />
        </Suspense>
      )}
    </ScreenFrame>
  )
}

const staffColumns: TableColumn<StaffMember>[] = [
  { key: 'username', title: 'Name', pinned: 'start', width: 200, cell: ({ username }) => clippedTextCell(username) },
  { key: 'email', title: 'Email', width: 240, cell: ({ email }) => <a href={`mailto:${email}`}>{email}</a> },
  {
    key: 'campaigns_count',
    title: 'Assigned Campaigns',
    align: 'end',
    cell: ({ campaigns_count }) => countCell(campaigns_count),
  },
]
const actionColumn = { key: 'actions', title: 'Actions', width: 190, pinned: 'end' } as const
