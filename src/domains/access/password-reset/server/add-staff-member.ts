import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Db } from '#core/db/db.ts'
import { assertNotNamed, hashNewPassword, notArrivedHash } from '#core/secrets/passwords.ts'
import type { StaffMember } from '#domains/access/contract.ts'
import type { CurrentUser } from '#domains/access/server/current-user.ts'
import { createStaffMember, type NewStaffMember } from '#domains/access/server/mutations.ts'
import type { AppContext } from '#domains/app-context.ts'
import { assertMailerConnected, queueInvitation } from './password-links.ts'

type Author = { me: CurrentUser; actor: AuditActor; context: AppContext }
type StaffForm = Omit<NewStaffMember, 'password_hash'> & { password?: string | undefined; invite: 0 | 1 }

/** Creates an admin or a leads handler, with the password from the form or an invitation to choose one. */
export async function addStaffMember(
  db: Db,
  { me, actor, context }: Author,
  { password, invite, ...form }: StaffForm,
): Promise<StaffMember> {
  if (invite) await assertMailerConnected(context, db)
  if (!invite) assertNotNamed(password ?? '', [form.username])
  const password_hash = invite ? notArrivedHash : await hashNewPassword(password ?? '')
  return db.transaction(async (tx) => {
    const made = await createStaffMember(tx, { me, actor }, { ...form, password_hash })
    if (invite) await queueInvitation(tx, context, actor, made)
    return made
  })
}
