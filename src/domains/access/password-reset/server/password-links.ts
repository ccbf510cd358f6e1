import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
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
import { type EmailBrand, queueEmail, renderNoticeEmail } from '#domains/messages/public.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { passwordLinksTable } from '../schema.ts'

const resetHours = 1
const invitationHours = 24
const maxResetMailsPerHour = 3

type LinkHolder = { id: number; username: string; email: string; new_email: string | null; kind: LinkKind }
/** `isClient` opens the page so that it leads to the clients' login. */
type Recipient = Omit<LinkHolder, 'new_email' | 'kind'> & { isClient?: boolean }
type LinkKind = 'invitation' | 'reset' | 'email'
type PasswordMail = Awaited<ReturnType<typeof renderNoticeEmail>> & { subject: string }

/** Throws 409 if an invitation could not be sent. */
export async function assertMailerConnected({ mailer }: AppContext, db: DbOrTx): Promise<void> {
  if (!(await mailer.isConnected(db))) throw conflictError(mailerNotConnected)
}

/** Mails a person a link to choose their password, in the transaction of the invitation. */
export async function queueInvitation(tx: Tx, context: AppContext, actor: AuditActor, holder: Recipient) {
  const key = createKey()
  const brand = await readEmailBrand(tx, context.settings)
  const mail = await renderPasswordMail(
    context,
    brand,
    { key, isClient: holder.isClient },
    {
      title: `Welcome to ${brand.name}`,
      paragraphs: [
        `${actor.me?.username ?? 'An administrator'} invites you to ${endSentence(brand.name)} Your username is ${holder.username}.`,
        `Please choose your password. The link works once, for ${invitationHours} hours.`,
      ],
      label: 'Choose a password',
      reason: 'You get this email because an account was created for this address.',
    },
  )
  await queueLink(tx, context, holder, { kind: 'invitation', hours: invitationHours, key, mail })
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
  const key = createKey()
  const brand = await readEmailBrand(tx, context.settings)
  const mail = await renderPasswordMail(
    context,
    brand,
    { key, isClient: holder.isClient },
    {
      title: 'Choose a new password',
      paragraphs: [
        `A new password was requested for the account ${holder.username}.`,
        'The link works once, for one hour. Nothing changes unless you follow it.',
      ],
      label: 'Choose a new password',
      reason: 'You get this email because “Forgot password” was used with this address. If it was not you, ignore it.',
    },
  )
  await queueLink(tx, context, holder, { kind: 'reset', hours: resetHours, key, mail })
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

export const createKey = () => randomToken(128)

type MailText = { title: string; paragraphs: string[]; label: string; reason: string }
async function renderPasswordMail(
  { settings }: AppContext,
  brand: EmailBrand,
  { key, isClient = false }: { key: string; isClient?: boolean | undefined },
  { label, ...text }: MailText,
): Promise<PasswordMail> {
  const button = { label, url: `${settings.PUBLIC_URL}/reset?key=${key}${isClient ? '&client=1' : ''}` }
  return { subject: text.title, ...(await renderNoticeEmail({ brand, ...text, button })) }
}

type NewLink = { kind: 'invitation' | 'reset'; hours: number; key: string; mail: PasswordMail }
async function queueLink(tx: Tx, context: AppContext, { id, email }: Recipient, { mail, ...link }: NewLink) {
  const expires_at = await storeLink(tx, id, link)
  const headers = await readReplyHeaders(tx, context.settings)
  await queueEmail(tx, context, { kind: link.kind, user_id: id, to: email, expires_at, headers, ...mail })
}

/** Stores a link and returns when it expires. */
export async function storeLink(
  tx: Tx,
  userId: number,
  { kind, hours, key, email }: { kind: LinkKind; hours: number; key: string; email?: string },
): Promise<Date> {
  const expires_at = new Date(Date.now() + hours * 3_600_000)
  // Expired links are only counted, for an hour.
  await tx.delete(passwordLinksTable).where(lt(passwordLinksTable.expires_at, sql`now() - interval '1 hour'`))
  await tx.insert(passwordLinksTable).values({ key_hash: hashSha256(key), user_id: userId, kind, email, expires_at })
  return expires_at
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
