import { useApi } from '#ui/data/useApi.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding, FieldControl } from '#ui/form/field-binding.ts'
import grid from '#ui/form/field-grid.module.css'
import { campaignsField, pagesField, useCampaignEntries } from './AccessFields.tsx'
import type { StaffContract } from './EditAccountDialog.tsx'

type NewAccountDialogProps = {
  title: string
  contract: StaffContract
  opened: boolean
  onClose: () => void
}

/** Creates an admin or a leads handler. */
export function NewAccountDialog({ title, contract, opened, onClose }: NewAccountDialogProps) {
  const { data: pages } = useApi(contract.pages)
  const entries = useCampaignEntries({})
  return (
    <FormDialog
      title={title}
      call={contract.create}
      start={emptyAccountForm}
      fields={(controls) => ({
        ...buildAccountFields(controls),
        pages: pagesField(pages),
        campaigns: campaignsField(entries),
      })}
      layout={(shown) => (
        <div className={grid.fields}>
          {shown.username}
          {shown.email}
          <div data-wide>{shown.password}</div>
          <div data-wide>{shown.invite}</div>
          {shown.pages}
          {shown.campaigns}
        </div>
      )}
      size="xl"
      opened={opened}
      onClose={onClose}
    />
  )
}

const emptyAccountForm = { username: '', email: '', password: '', invite: 0 as const, pages: {}, campaigns: {} }

const buildAccountFields = ({ textControl, passwordControl, toggleControl }: ControlSet) => ({
  username: textControl('Username'),
  email: textControl('Email'),
  password: hideForInvitation(passwordControl('Password')),
  invite: toggleControl('Send an invitation instead'),
})

/** Hides the password for an invitation, unless something was typed already. */
const hideForInvitation = (password: FieldControl<string>): FieldControl<string> =>
  Object.assign((at: FieldBinding<string>) => (at.other('invite') && !at.value ? null : password(at)), {
    keepsWhenEmpty: true as const,
  })
