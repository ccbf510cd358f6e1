import { Button } from '@mantine/core'
import { IconDevices, IconPencil, IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { auditTrail } from '#domains/audit/contract.ts'
import { clipped, count } from '#ui/cells/cells.tsx'
import { part } from '#ui/data/lazy-part.ts'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Column, DataTable, type Rows } from '#ui/table/DataTable.tsx'
import type { ById } from '#ui/table/ListScreen.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { RowActions } from '#ui/table/RowButton.tsx'
import { type Person, sessions } from '../contract.ts'
import { useMe } from './current-user.ts'
import classes from './People.module.css'

const SessionsDialog = part(() => import('../sessions/ui/SessionsDialog.tsx'))

type Props = {
  title: string
  button: string
  people: Rows<Person>
  remove: ById
  onCreate: () => void
  onEdit: (person: Person) => void
}

/** The table of Admin Access and of Leads Handlers Access. */
export function People({ title, button, people, remove, onCreate, onEdit }: Props) {
  const me = useMe()
  const signedIn = useDialog<Person>()
  const actions = (person: Person) => (
    <RowActions>
      {sessions.list.allow(me) && (
        <IconButton label="Sessions" onClick={() => signedIn.open(person)}>
          <IconDevices size={16} aria-hidden="true" />
        </IconButton>
      )}
      {person.may_change && (
        <>
          <IconButton label="Edit" onClick={() => onEdit(person)}>
            <IconPencil size={16} aria-hidden="true" />
          </IconButton>
          <ActionButton
            call={remove}
            input={{ params: { id: person.id } }}
            label="Delete"
            icon={<IconTrash size={16} aria-hidden="true" />}
          />
        </>
      )}
      {!person.may_change && <span className={classes.hint}>{person.id === me?.id ? 'You' : 'Has more rights'}</span>}
    </RowActions>
  )
  return (
    <Screen
      title={title}
      actions={
        <>
          {auditTrail.list.allow(me) && (
            <Button variant="default" component={Link} to="/admin/audit">
              Audit Trail
            </Button>
          )}
          <Button onClick={onCreate}>{button}</Button>
        </>
      }
    >
      <DataTable
        table="admins"
        label={title}
        list={people}
        columns={[...columns, { ...actionColumn, cell: actions }]}
      />
      <ListFooter table="admins" list={people} />
      {signedIn.subject && (
        <Suspense>
          <SessionsDialog person={signedIn.subject} opened={signedIn.opened} onClose={signedIn.close} />
        </Suspense>
      )}
    </Screen>
  )
}

const columns: Column<Person>[] = [
  { key: 'username', title: 'Name', pinned: 'start', width: 200, cell: ({ username }) => clipped(username) },
  { key: 'email', title: 'Email', width: 240, cell: ({ email }) => <a href={`mailto:${email}`}>{email}</a> },
  {
    key: 'campaigns_count',
    title: 'Assigned Campaigns',
    align: 'end',
    cell: ({ campaigns_count }) => count(campaigns_count),
  },
]
const actionColumn = { key: 'actions', title: 'Actions', width: 150, pinned: 'end' } as const

/** A short list, there as a whole, as the table takes it. */
export function peopleOf<Row>(answer: UseQueryResult<unknown>, rows: readonly Row[] | undefined): Rows<Row> {
  return {
    rows,
    total: rows?.length,
    loading: answer.isPending,
    fetching: answer.isFetching,
    error: answer.error,
    retry: () => void answer.refetch(),
  }
}
