import { Link, useLocation } from '@tanstack/react-router'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { ReadOnlyControl } from '#ui/form/ReadOnlyControl.tsx'
import { type CurrentUserDto, sessionContract } from '../contract.ts'

type EditProfileDialogProps = { me: CurrentUserDto; opened: boolean; onClose: () => void }

/** Shows the user's own name and email, and changes the password. */
export default function EditProfileDialog({ me, opened, onClose }: EditProfileDialogProps) {
  const isOnProfile = useLocation({ select: ({ pathname }) => pathname === '/profile' })
  return (
    <FormDialog
      title="Edit Profile"
      call={sessionContract.updateProfile}
      start={{ old_password: '', new_password: '', new_password_confirmation: '' }}
      fields={({ passwordControl }) => ({
        old_password: passwordControl('Old Password', { autoComplete: 'current-password' }),
        new_password: passwordControl('New Password'),
        new_password_confirmation: passwordControl('New Password Confirmation'),
      })}
      layout={(field) => (
        <>
          <ReadOnlyControl label="Username" value={me.username} />
          <ReadOnlyControl label="Email" value={me.email} />
          {field.old_password}
          {field.new_password}
          {field.new_password_confirmation}
          {!isOnProfile && <Link to="/profile">Sessions, time format and more in your profile</Link>}
        </>
      )}
      opened={opened}
      onClose={onClose}
    />
  )
}
