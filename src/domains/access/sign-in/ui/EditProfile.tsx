import { ReadOnly } from '#ui/form/controls.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { password } from '#ui/form/fields.tsx'
import { type CurrentUser, session } from '../contract.ts'

type Props = { me: CurrentUser; opened: boolean; onClose: () => void }

/** One's own name and email, to read, and one's own password, to change. */
export default function EditProfile({ me, opened, onClose }: Props) {
  return (
    <FormDialog
      title="Edit Profile"
      call={session.updateProfile}
      start={{ old_password: '', new_password: '', new_password_confirmation: '' }}
      fields={{
        old_password: password('Old Password', 'current-password'),
        new_password: password('New Password'),
        new_password_confirmation: password('New Password Confirmation'),
      }}
      layout={(field) => (
        <>
          <ReadOnly label="Username" value={me.username} />
          <ReadOnly label="Email" value={me.email} />
          {field.old_password}
          {field.new_password}
          {field.new_password_confirmation}
        </>
      )}
      opened={opened}
      onClose={onClose}
    />
  )
}
