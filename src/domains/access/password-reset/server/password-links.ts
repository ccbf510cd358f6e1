import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { msPerHour } from '#contract/days.ts'
import { endSentence } from '#contract/end-sentence.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { conflictError } from '#core/http/errors.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { usersTable } from '#domains/access/schema.ts'
import { hasEmail } from '#domains/access/server/account-names.ts'
import { readEmailBrand, readReplyHeaders } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { queueEmail, renderNoticeEmail } from '#domains/messages/public.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { passwordLinksTable } from '../schema.ts'

const resetHours = 1
const invitationHours = 24
const maxResetMailsPerHour = 3

type LinkHolder = { id: number; username: string; email: string; new_email: string | null; kind: LinkKind }
/** `isClient` opens the page so that it leads to the clients' login. */
type Recipient = Omit<LinkHolder, 'new_email' | 'kind'> & { isClient?: boolean }
type LinkKind = 'invitation' | 'reset' | 'email'

/** Throws 409 if an invitation could not be sent. */
export async function assertMailerConnected({ mailer }: AppContext, db: DbOrTx): Promise<void> {
  if (!(await mailer.isConnected(db))) throw conflictError(mailerNotConnected)
}

/** Mails a person a link to choose their password, in the transaction of the invitation. */
export async function queueInvitation(tx: Tx, context: AppContext, actor: AuditActor, holder: Recipient) {
  const { name } = await readEmailBrand(tx, context.settings)
  await queueLink(tx, context, holder, {
    kind: 'invitation',
    hours: invitationHours,
    title: `Welcome to ${name}`,
    paragraphs: [
      `${actor.me?.username ?? 'An administrator'} invites you to ${endSentence(name)} Your username is ${holder.username}.`,
      `Please choose your password. The link works once, for ${invitationHours} hours.`,
    ],
    label: 'Choose a password',
    reason: 'You get this email because an account was created for this address.',
  })
  await writeAudit(tx, actor, { kind: 'invitation', rowId: holder.id, before: null, after: { email: holder.email } })
}

/** Whether the account was ever invited: one that came with a move waits for that. */
export const wasInvitedSql = sql<boolean>`exists (select from ${auditTable}
  where ${auditTable.kind} = 'invitation' and ${auditTable.row_id} = ${usersTable.id})`

/** Returns whether the account was invited and may still arrive. */
export async function isAwaited(tx: Tx, id: number): Promise<boolean> {
  const { password_hash, is_active } = usersTable
  return (
    (await tx.$count(
      usersTable,
      and(eq(usersTable.id, id), eq(password_hash, notArrivedHash), is_active, wasInvitedSql),
    )) > 0
  )
}

/** Mails a link to the account with this email, unless three were sent within the hour. */
export async function queueReset(tx: Tx, context: AppContext, email: string): Promise<void> {
  const [holder] = await tx
    .select({
      id: usersTable.id,
      username: usersTable.username,
      email: usersTable.email,
      isClient: sql<boolean>`${usersTable.role} = 'customer'`,
    })
    .from(usersTable)
    .where(and(hasEmail(email), usersTable.is_active, isNull(usersTable.deleted_at)))
    .for('no key update') // serializes requests for one person
  if (!holder || (await countRecentLinks(tx, holder.id, 'reset')) >= maxResetMailsPerHour) return
  await queueLink(tx, context, holder, {
    kind: 'reset',
    hours: resetHours,
    title: 'Choose a new password',
    paragraphs: [
      `A new password was requested for the account ${holder.username}.`,
      'The link works once, for one hour. Nothing changes unless you follow it.',
    ],
    label: 'Choose a new password',
    reason: 'You get this email because “Forgot password” was used with this address. If it was not you, ignore it.',
  })
}

/**
 * Returns the account that this key's link opens; undefined if the link was used, has expired, is of another kind, or never existed.
 * `lock` locks the account: every change of a password locks it before its links, so that two changes cannot deadlock.
 */
export async function findLinkHolder(
  db: DbOrTx,
  key: string,
  { lock = false, kinds = ['invitation', 'reset'] }: { lock?: boolean; kinds?: LinkKind[] } = {},
): Promise<LinkHolder | undefined> {
  const query = db
    .select({
      id: usersTable.id,
      username: usersTable.username,
      email: usersTable.email,
      new_email: passwordLinksTable.email,
      kind: passwordLinksTable.kind,
    })
    .from(passwordLinksTable)
    .innerJoin(usersTable, eq(usersTable.id, passwordLinksTable.user_id))
    .where(
      and(
        eq(passwordLinksTable.key_hash, hashSha256(key)),
        inArray(passwordLinksTable.kind, kinds),
        isNull(passwordLinksTable.ended_at),
        gt(passwordLinksTable.expires_at, sql`now()`),
        usersTable.is_active,
        isNull(usersTable.deleted_at),
      ),
    )
  const [holder] = await (lock ? query.for('update', { of: usersTable }) : query)
  return holder
}

/** Uses up the link. Of two concurrent uses, only one gets true. */
export async function endPasswordLink(tx: Tx, key: string): Promise<boolean> {
  const ended = await tx
    .update(passwordLinksTable)
    .set({ ended_at: sql`now()` })
    .where(and(eq(passwordLinksTable.key_hash, hashSha256(key)), isNull(passwordLinksTable.ended_at)))
    .returning({ user: passwordLinksTable.user_id })
  return ended.length > 0
}

type PasswordLink = { kind: 'invitation' | 'reset'; hours: number; label: string } & Omit<Notice, 'button'>
async function queueLink(
  tx: Tx,
  context: AppContext,
  { id, email, isClient }: Recipient,
  { kind, hours, label, ...text }: PasswordLink,
) {
  const { key, expires_at } = await storeLink(tx, id, { kind, hours })
  const button = { label, url: `${context.settings.PUBLIC_URL}/reset?key=${key}${isClient ? '&client=1' : ''}` }
  await queueNotice(tx, context, { kind, user_id: id, to: email, expires_at }, { ...text, button })
}

type Notice = Omit<Parameters<typeof renderNoticeEmail>[0], 'brand'>
type NoticeAddress = { kind: LinkKind; user_id: number | null; to: string; expires_at: Date }
/** Mails a word about an account, in the look of the agency, which gets the replies. */
export async function queueNotice(tx: Tx, context: AppContext, address: NoticeAddress, notice: Notice) {
  const brand = await readEmailBrand(tx, context.settings)
  await queueEmail(tx, context, {
    ...address,
    headers: await readReplyHeaders(tx, context.settings),
    subject: notice.title,
    ...(await renderNoticeEmail({ brand, ...notice })),
  })
}

/** Stores a link; returns its key and when it expires. */
export async function storeLink(
  tx: Tx,
  user_id: number,
  { kind, hours, email }: { kind: LinkKind; hours: number; email?: string },
): Promise<{ key: string; expires_at: Date }> {
  const key = randomToken(128)
  const expires_at = new Date(Date.now() + hours * msPerHour)
  // Expired links are only counted, for an hour.
  await tx.delete(passwordLinksTable).where(lt(passwordLinksTable.expires_at, sql`now() - interval '1 hour'`))
  await tx.insert(passwordLinksTable).values({ key_hash: hashSha256(key), user_id, kind, email, expires_at })
  return { key, expires_at }
}

/** Counts the links of a kind that a person was sent within the hour. */
export const countRecentLinks = (tx: Tx, userId: number, kind: LinkKind): Promise<number> =>
  tx.$count(
    passwordLinksTable,
    and(
      eq(passwordLinksTable.user_id, userId),
      eq(passwordLinksTable.kind, kind),
      gt(passwordLinksTable.created_at, sql`now() - interval '1 hour'`),
    ),
  )
