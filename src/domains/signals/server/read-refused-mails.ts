import { and, eq, gt, gte, inArray, isNull, not, notInArray, or, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { accountEmailSql, isSwitchedOffSql } from '#domains/clients/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { mailState, noCampaignId, repeatableMailStates, unsentMailReasons } from '#domains/leads/labels.ts'
import { mailExpired, mailsTable } from '#domains/leads/mail/schema.ts'
import type { RefusedMail } from './facts.ts'
import type { OpenSignal } from './store.ts'

type Mail = typeof mailsTable.$inferSelect

/**
 * Reads recipients whose mails were refused or lost since they last got one: one entry each while the last of those mails is recent, keyed
 * by the first of them. An open signal says which that is, however long ago.
 */
export async function readRefusedMails(
  db: DbOrTx,
  since: Date,
  open: readonly Pick<OpenSignal, 'detected_kind' | 'subject_id'>[],
): Promise<RefusedMail[]> {
  const firstIds = open.flatMap((one) => (one.detected_kind === 'mail_refused' ? [Number(one.subject_id)] : []))
  const refused = await db
    .select()
    .from(mailsTable)
    .where(
      and(
        // The condition of an index.
        sql`(${inArray(mailsTable.state, repeatableMailStates)} or (${mailsTable.state} = 'sent' and ${mailsTable.error} is not null))`,
        or(
          gt(mailsTable.created_at, since),
          firstIds.length > 0 ? gte(mailsTable.id, Math.min(...firstIds)) : undefined,
        ),
        notInArray(sql`coalesce(${mailsTable.error}, '')`, Object.values(unsentMailReasons)),
      ),
    )
    .orderBy(mailsTable.id)
  const isRecent = ({ created_at }: Mail) => created_at > since
  const recent = refused.find(isRecent)
  if (!recent) return []
  const arrivals = await readArrivals(db, recent.id)
  const addresses = await readAddresses(db, refused)
  const firsts = new Map(refused.filter(({ id }) => firstIds.includes(id)).map((mail) => [keyOf(mail), mail.id]))
  const waiting = refused.filter((mail) => {
    if (!isRecent(mail) && mail.id < (firsts.get(keyOf(mail)) ?? Number.POSITIVE_INFINITY)) return false
    const missing = listMissing(mail, arrivals)
    const known = mail.client_id === null ? null : addresses.get(mail.client_id)
    return known === null ? missing.length > 0 : missing.some((address) => known?.has(address))
  })
  return [...Map.groupBy(waiting, keyOf).values()].flatMap((mails) => {
    const [first, last] = [mails[0]!, mails.at(-1)!]
    if (!isRecent(last)) return []
    const failed = mails.filter(({ state }) => state !== mailState.unknown)
    const expired = failed.filter(({ error }) => error?.startsWith(mailExpired)).length
    return {
      id: first.id,
      campaign_id: first.campaign_id === noCampaignId ? null : first.campaign_id,
      lead_id: first.lead_id,
      recipients: first.recipients,
      error: (failed.at(-1) ?? last).error,
      at: first.created_at,
      count: mails.length,
      last: { id: last.id, lead_id: last.lead_id, state: last.state },
      refused: failed.length - expired,
      expired,
    }
  })
}

const keyOf = ({ recipients }: Mail) => recipients.join()

/** Returns whether a later email reached those who did not get this one; null if it was removed with its lead. */
export async function hasGotThrough(db: DbOrTx, id: number): Promise<boolean | null> {
  const [mail] = await db.select().from(mailsTable).where(eq(mailsTable.id, id))
  return mail ? listMissing(mail, await readArrivals(db, id)).length === 0 : null
}

/** The last email that arrived, by address and by the email that it repeats. */
type Arrivals = { byAddress: Map<string, number>; byRepeated: Map<number, number> }

async function readArrivals(db: DbOrTx, after: number): Promise<Arrivals> {
  const { rows } = await db.execute<{ recipients: string[]; again_of: number | null; id: number }>(sql`
    select ${mailsTable.recipients} as recipients, ${mailsTable.again_of} as again_of, max(${mailsTable.id}) as id from ${mailsTable}
    where ${mailsTable.id} > ${after} and ${mailsTable.state} = ${mailState.sent} and ${mailsTable.error} is null
    group by 1, 2 order by 3`)
  return {
    byAddress: new Map(rows.flatMap(({ recipients, id }) => recipients.map((one) => [one.toLowerCase(), id]))),
    byRepeated: new Map(rows.flatMap(({ again_of, id }) => (again_of === null ? [] : [[again_of, id]]))),
  }
}

/** Returns who has got neither this email nor a later one, in lower case. The error of a sent email names who did not get it. */
function listMissing({ id, recipients, state, error, again_of }: Mail, { byAddress, byRepeated }: Arrivals): string[] {
  const isSent = state === mailState.sent
  if (!isSent && (byRepeated.get(again_of ?? id) ?? 0) > id) return []
  const told = error?.toLowerCase() ?? ''
  return recipients
    .map((recipient) => recipient.toLowerCase())
    .filter((address) => (byAddress.get(address) ?? 0) <= id && (!isSent || told.includes(`to ${address}:`)))
}

/** Reads the addresses that emails about leads go to now, in lower case, by client: none of one who is switched off. */
async function readAddresses(db: DbOrTx, mails: readonly Mail[]): Promise<Map<number, Set<string>>> {
  const ids = [...new Set(mails.flatMap(({ client_id }) => client_id ?? []))]
  const rows = await db
    .select({ id: clientsTable.id, email: accountEmailSql, emails: clientsTable.emails })
    .from(clientsTable)
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(and(inArray(clientsTable.id, ids), isNull(clientsTable.deleted_at), not(isSwitchedOffSql)))
  return new Map(
    rows.map(({ id, email, emails }) => [id, new Set([email ?? '', ...emails].map((one) => one.toLowerCase()))]),
  )
}
