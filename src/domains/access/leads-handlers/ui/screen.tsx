import { handlers } from '#domains/access/contract.ts'
import { People, peopleOf } from '#domains/access/ui/People.tsx'
import { call } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { sayFailure } from '#ui/feedback/toast.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { EditHandler, type HandlerInFull, NewHandler } from './HandlerDialog.tsx'

export default function LeadsHandlersAccess() {
  const list = useApi(handlers.list)
  const creating = useDialog()
  const editing = useDialog<HandlerInFull>()

  async function edit(id: number) {
    try {
      editing.open(await call(handlers.get, { params: { id } }))
    } catch (problem) {
      sayFailure(problem)
    }
  }
  return (
    <>
      <People
        title="Leads Handlers Access"
        button="Create New Lead Handler"
        people={peopleOf(list, list.data?.users)}
        remove={handlers.remove}
        onCreate={() => creating.open(undefined)}
        onEdit={({ id }) => void edit(id)}
      />
      <NewHandler opened={creating.opened} onClose={creating.close} />
      {editing.subject && <EditHandler handler={editing.subject} opened={editing.opened} onClose={editing.close} />}
    </>
  )
}
