import { leadsHandlersContract } from '#domains/access/contract.ts'
import { NewAccountDialog } from '#domains/access/ui/NewAccountDialog.tsx'
import { StaffScreen } from '#domains/access/ui/People.tsx'
import { toTableSource } from '#domains/access/ui/table-source.ts'
import { callApi } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { EditHandlerDialog, type HandlerDetails } from './HandlerDialog.tsx'

export default function LeadsHandlersAccessScreen() {
  const list = useApi(leadsHandlersContract.list, undefined, { kept: true })
  const creating = useDialog()
  const editing = useDialog<HandlerDetails>()

  async function edit(id: number) {
    try {
      editing.open(await callApi(leadsHandlersContract.get, { params: { id } }))
    } catch (problem) {
      toastError(problem)
    }
  }
  return (
    <>
      <StaffScreen
        title="Leads Handlers Access"
        button="Create New Lead Handler"
        people={toTableSource(list, list.data?.users)}
        remove={leadsHandlersContract.remove}
        onCreate={() => creating.open(undefined)}
        onEdit={({ id }) => void edit(id)}
      />
      <NewAccountDialog
        title="Create User"
        contract={leadsHandlersContract}
        opened={creating.opened}
        onClose={creating.close}
      />
      {editing.subject && (
        <EditHandlerDialog handler={editing.subject} opened={editing.opened} onClose={editing.close} />
      )}
    </>
  )
}
