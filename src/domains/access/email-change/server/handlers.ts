import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { msPerHour } from '#contract/days.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { notFoundError, tooManyRequestsError, validationError } from '#core/http/errors.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { firstAdminEmail } from '../../labels.ts'
import { passwordLinksTable } from '../../password-reset/schema.ts'
import {
  assertMailerConnected,
  countRecentLinks,
  endPasswordLink,
  findLinkHolder,
  queueNotice,
  storeLink,
} from '../../password-reset/server/password-links.ts'
import { usersTable } from '../../schema.ts'
import { isNamed } from '../../server/account-names.ts'
import { mapNameConflict, updateAccount } from '../../server/accounts.ts'
import { emailChangeContract } from '../contract.ts'

const linkHours = 24
const maxChangesPerHour = 3

export const emailChangeHandlers = implementContract(emailChangeContract, {
  change: ({ db, me, body: { email }, actor, context }) =>
    mapNameConflict(
      db.transaction(async (tx) => {
        const [person] = await tx.select().from(usersTable).where(eq(usersTable.id, me.id)).for('update')
        if (!person) throw notFoundError()
        if (person.email === firstAdminEmail) {
          await updateAccount(tx, actor, me.id, { email })
          return { message: `Your email is now ${email}` }
        }
        if (person.email === email) throw validationError({ email: ['This is your email already'] })
        await assertMailerConnected(context, tx)
        if ((await countRecentLinks(tx, me.id, 'email')) >= maxChangesPerHour)
          throw tooManyRequestsError('You asked for three links within the hour. Please try again later', 3600)
        await requestChange(tx, context, person, email)
        await writeAudit(tx, actor, {
          kind: 'user',
          rowId: me.id,
          before: { pending_email: null },
          after: { pending_email: email },
        })
        return { message: `Open the link that we sent to ${email}` }
      }),
    ),

  confirm: ({ db, body: { key }, actor, context }) =>
    mapNameConflict(
      db.transaction(async (tx) => {
        const holder = await findLinkHolder(tx, key, { lock: true, kinds: ['email'] })
        if (!holder?.new_email || !(await endPasswordLink(tx, key))) throw notFoundError()
        const { id, username, email, new_email } = holder
        const theirs: AuditActor = { ...actor, me: { id, username } }
        await updateAccount(tx, theirs, id, { email: new_email })
        await tellOldAddress(tx, context, { id, email }, [
          `The email of the account ${username} is now ${new_email}.`,
          'If that was not you, ask an administrator at once.',
        ])
        return { message: `Your email is now ${new_email}` }
      }),
    ),
})

/** Mails the link to the new address; if another account has it, a word to that account instead, so that the caller cannot tell. */
async function requestChange(
  tx: Tx,
  context: AppContext,
  { id, username, email: old, role }: typeof usersTable.$inferSelect,
  email: string,
) {
  const isTaken = (await tx.$count(usersTable, and(isNamed(email), ne(usersTable.id, id)))) > 0
  await tx.update(passwordLinksTable).set({ ended_at: sql`now()` }).where(isOpenChange(id))
  const { key, expires_at } = await storeLink(tx, id, { kind: 'email', hours: linkHours, email })
  const url = `${context.settings.PUBLIC_URL}/email?key=${key}${role === 'customer' ? '&client=1' : ''}`
  const address = { kind: 'email' as const, user_id: isTaken ? null : id, to: email, expires_at }
  await queueNotice(tx, context, address, {
    title: isTaken ? 'You have an account already' : 'Confirm your email',
    paragraphs: isTaken
      ? ['Another account asked to use this address. Nothing has changed: the address is yours.']
      : [
          `Confirm that the account ${username} uses this address from now on.`,
          `The link works once, for ${linkHours} hours. Nothing changes until you open it and confirm.`,
        ],
    ...(isTaken ? {} : { button: { label: 'Confirm', url } }),
    reason: 'You get this email because this address was entered in a profile. If it was not you, ignore it.',
  })
  await tellOldAddress(tx, context, { id, email: old }, [
    `Someone signed in as ${username} asked to change the email of this account to ${email}.`,
    'The email changes when the link that was sent there is opened. If that was not you, change your password at once.',
  ])
}

async function tellOldAddress(tx: Tx, context: AppContext, to: { id: number; email: string }, paragraphs: string[]) {
  const expires_at = new Date(Date.now() + linkHours * msPerHour)
  const address = { kind: 'email' as const, user_id: to.id, to: to.email, expires_at }
  await queueNotice(tx, context, address, {
    title: 'A change of your email',
    paragraphs,
    reason: 'You get this email because this is, or was, the address of an account.',
  })
}

const isOpenChange = (userId: number) =>
  and(
    eq(passwordLinksTable.user_id, userId),
    eq(passwordLinksTable.kind, 'email'),
    isNull(passwordLinksTable.ended_at),
    gt(passwordLinksTable.expires_at, sql`now()`),
  )

/** Returns the address that waits for its link to be opened; null without one. */
export async function findPendingEmail(db: DbOrTx, userId: number): Promise<string | null> {
  const [pending] = await db
    .select({ email: passwordLinksTable.email })
    .from(passwordLinksTable)
    .where(isOpenChange(userId))
    .orderBy(desc(passwordLinksTable.created_at))
    .limit(1)
  return pending?.email ?? null
}
