import { admins, person } from '#domains/access/contract.ts'
import { People, peopleOf } from '#domains/access/ui/People.tsx'
import { call } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { sayFailure } from '#ui/feedback/toast.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type AdminInFull, EditAdmin, NewAdmin } from './AdminDialog.tsx'

export default function AdminAccess() {
  const list = useApi(admins.list)
  const creating = useDialog()
  const editing = useDialog<AdminInFull>()
  // Whoever may see this page reads its rows in full.
  const rows =
    list.data &&
    Object.values(list.data.admins)
      .map((row) => person.parse(row))
      .toSorted((a, b) => a.username.localeCompare(b.username)) // the map has them by id

  async function edit(id: number) {
    try {
      editing.open(await call(admins.get, { params: { id } }))
    } catch (problem) {
      sayFailure(problem)
    }
  }
  return (
    <>
      <People
        title="Admin Access"
        button="Create New Admin"
        people={peopleOf(list, rows)}
        remove={admins.remove}
        onCreate={() => creating.open(undefined)}
        onEdit={({ id }) => void edit(id)}
      />
      <NewAdmin opened={creating.opened} onClose={creating.close} />
      {editing.subject && <EditAdmin admin={editing.subject} opened={editing.opened} onClose={editing.close} />}
    </>
  )
}
