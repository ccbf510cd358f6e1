import { and, gt, inArray, notInArray, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { mailState, noCampaignId, repeatableMailStates, unsentMailReasons } from '#domains/leads/labels.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import type { RefusedMail } from './facts.ts'

/** Days that a refused mail is reported. */
const refusedDays = 14

/** Reads recipients whose mails were refused or lost since they last got one: one entry each, keyed by the first of those mails. */
export async function readRefusedMails(db: DbOrTx, asOf: Date): Promise<RefusedMail[]> {
  const since = new Date(asOf.getTime() - refusedDays * 86_400_000)
  const refused = await db
    .select()
    .from(mailsTable)
    .where(
      and(
        inArray(mailsTable.state, repeatableMailStates),
        gt(mailsTable.created_at, since),
        notInArray(sql`coalesce(${mailsTable.error}, '')`, Object.values(unsentMailReasons)),
      ),
    )
    .orderBy(mailsTable.id)
  if (refused.length === 0) return []
  const { rows: sent } = await db.execute<{ recipients: string[]; id: number }>(sql`
    select ${mailsTable.recipients} as recipients, max(${mailsTable.id}) as id from ${mailsTable}
    where ${mailsTable.id} > ${refused[0]!.id} and ${mailsTable.state} = ${mailState.sent} group by 1`)
  const lastSent = new Map(sent.map(({ recipients, id }) => [recipients.join(), id]))
  const waiting = refused.filter(({ id, recipients }) => id > (lastSent.get(recipients.join()) ?? 0))
  return [...Map.groupBy(waiting, ({ recipients }) => recipients.join())].map(([, mails]) => {
    const first = mails[0]!
    return {
      id: first.id,
      campaign_id: first.campaign_id === noCampaignId ? null : first.campaign_id,
      lead_id: first.lead_id,
      recipients: first.recipients,
      error: mails.at(-1)!.error,
      at: first.created_at,
      count: mails.length,
      last: { id: mails.at(-1)!.id, lead_id: mails.at(-1)!.lead_id },
      refused: mails.filter(({ state }) => state === 'refused').length,
    }
  })
}
