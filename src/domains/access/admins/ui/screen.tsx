import { adminsContract, staffMemberSchema } from '#domains/access/contract.ts'
import { NewAccountDialog } from '#domains/access/ui/NewAccountDialog.tsx'
import { StaffScreen } from '#domains/access/ui/People.tsx'
import { toTableSource } from '#domains/access/ui/table-source.ts'
import { callApi } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type AdminDetails, EditAdminDialog } from './AdminDialog.tsx'

export default function AdminAccessScreen() {
  const list = useApi(adminsContract.list, undefined, { kept: true })
  const creating = useDialog()
  const editing = useDialog<AdminDetails>()
  // Anyone who may see this page gets its rows in full.
  const rows =
    list.data &&
    Object.values(list.data.admins)
      .map((row) => staffMemberSchema.parse(row))
      .toSorted((a, b) => a.username.localeCompare(b.username)) // the map is ordered by id

  async function edit(id: number) {
    try {
      editing.open(await callApi(adminsContract.get, { params: { id } }))
    } catch (problem) {
      toastError(problem)
    }
  }
  return (
    <>
      <StaffScreen
        title="Admin Access"
        button="Create New Admin"
        people={toTableSource(list, rows)}
        remove={adminsContract.remove}
        onCreate={() => creating.open(undefined)}
        onEdit={({ id }) => void edit(id)}
      />
      <NewAccountDialog
        title="Create New Admin"
        contract={adminsContract}
        opened={creating.opened}
        onClose={creating.close}
      />
      {editing.subject && <EditAdminDialog admin={editing.subject} opened={editing.opened} onClose={editing.close} />}
    </>
  )
}
