import { and, inArray, lt, notInArray, sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { mailState } from '#domains/leads/labels.ts'
import { mailsTable } from '../schema.ts'

const stepSize = 2000

/** Deletes mails that are past their retention, with the rating links in them. Unsent mails stay. */
export async function deleteOldMails({ db, jobs, settings: { RETAIN_MAILS_DAYS: days } }: AppContext): Promise<void> {
  if (days === undefined) return
  const { id, state, created_at } = mailsTable
  while (!jobs.stopping.aborted) {
    const old = await db
      .select({ id })
      .from(mailsTable)
      .where(
        and(
          notInArray(state, [mailState.queued, mailState.sending]),
          lt(created_at, sql`now() - ${days} * interval '1 day'`),
        ),
      )
      .orderBy(id)
      .limit(stepSize)
    const ids = old.map((mail) => mail.id)
    if (ids.length > 0) await db.delete(mailsTable).where(inArray(id, ids))
    if (ids.length < stepSize) return
  }
}
