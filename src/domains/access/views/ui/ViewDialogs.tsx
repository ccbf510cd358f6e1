import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useCurrentUser } from '../../ui/current-user.ts'
import { type SavedView, type ViewForm, viewsContract } from '../contract.ts'
import type { sharingRoles } from '../labels.ts'

const sharingChoices: { value: (typeof sharingRoles)[number]; label: string }[] = [
  { value: 'admin', label: 'Admins' },
  { value: 'leads_handler', label: 'Leads handlers' },
]

/** The fields of a view that people fill in; the rest comes from the list's current state. */
function useViewControls() {
  const isSuperAdmin = useCurrentUser()?.isSuperAdmin ?? false
  return ({ textControl, toggleControl, selectControl }: ControlSet) => ({
    name: textControl('Name'),
    default: toggleControl('My default: comes first, and the list opens with it'),
    shared: isSuperAdmin
      ? selectControl('Shared with', sharingChoices, { clearable: true, placeholder: 'Only me' })
      : () => null,
    table: () => null,
    query: () => null,
    columns: () => null,
    sort: () => null,
    order: () => null,
  })
}

type NewViewDialogProps = {
  form: Pick<ViewForm, 'table' | 'query' | 'columns' | 'sort' | 'order'>
  opened: boolean
  onClose: () => void
  onSaved: (view: SavedView) => void
}

export function NewViewDialog({ form, ...rest }: NewViewDialogProps) {
  const fields = useViewControls()
  return (
    <FormDialog
      title="Save view"
      size="sm"
      call={viewsContract.create}
      start={{ name: null, shared: null, default: false, ...form }}
      fields={fields}
      {...rest}
    />
  )
}

export function EditViewDialog({ view, ...rest }: { view: SavedView; opened: boolean; onClose: () => void }) {
  const fields = useViewControls()
  const { id, may_change: _, ...form } = view
  return (
    <FormDialog
      title="Edit view"
      size="sm"
      call={viewsContract.update}
      params={{ id }}
      start={form}
      fields={fields}
      {...rest}
    />
  )
}
