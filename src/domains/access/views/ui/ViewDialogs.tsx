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
      fields={(controls) => ({ ...fields(controls), ...listState })}
      {...rest}
    />
  )
}

/** Sent as the list is, with no field. */
const listState = { table: () => null, query: () => null, columns: () => null, sort: () => null, order: () => null }

/** Without filters and columns: another person may have saved newer ones. */
const renameEndpoint = {
  ...viewsContract.update,
  body: viewsContract.update.body.pick({ name: true, default: true, shared: true }),
}

export function EditViewDialog({ view, ...rest }: { view: SavedView; opened: boolean; onClose: () => void }) {
  const fields = useViewControls()
  const { id, name, shared } = view
  return (
    <FormDialog
      title="Edit view"
      size="sm"
      call={renameEndpoint}
      params={{ id }}
      start={{ name, shared, default: view.default }}
      fields={fields}
      {...rest}
    />
  )
}
