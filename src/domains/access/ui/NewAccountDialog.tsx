import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FieldControl, passwordControl, textControl, toggleControl } from '#ui/form/fields.tsx'
import { campaignsField, pagesField, useCampaignEntries } from './AccessFields.tsx'
import type { StaffContract } from './EditAccountDialog.tsx'
import classes from './People.module.css'

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
      fields={{ ...accountFields, pages: pagesField(pages), campaigns: campaignsField(entries) }}
      layout={(shown) => (
        <div className={classes.form}>
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

const passwordField = passwordControl('Password')
/** Hidden for an invitation, unless something was typed already. */
const newPasswordField: FieldControl<string> = Object.assign(
  (...[at, controls]: Parameters<FieldControl<string>>) =>
    at.other('invite') && !at.value ? null : passwordField(at, controls),
  { keepsWhenEmpty: true as const },
)

const accountFields = {
  username: textControl('Username'),
  email: textControl('Email'),
  password: newPasswordField,
  invite: toggleControl('Send an invitation instead'),
}
