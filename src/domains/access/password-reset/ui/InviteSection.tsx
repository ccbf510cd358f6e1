import classes from '#domains/access/ui/People.module.css'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import text from '#ui/theme/text.module.css'
import type { passwordResetContract } from '../contract.ts'

type InviteSectionProps = {
  id: number
  call: typeof passwordResetContract.inviteAdmin | typeof passwordResetContract.inviteHandler
}

/** Mails a person a link to choose their password. */
export function InviteSection({ id, call }: InviteSectionProps) {
  return (
    <div className={classes.role}>
      <p className={text.quiet}>Email them a link to set their own password.</p>
      <ActionButton call={call} input={{ params: { id } }} label="Send invitation" />
    </div>
  )
}
