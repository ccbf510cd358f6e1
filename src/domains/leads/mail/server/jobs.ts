import { lt, notInArray, sql } from 'drizzle-orm'
import { deleteOldRows } from '#core/db/delete-old-rows.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { mailState } from '#domains/leads/labels.ts'
import { mailsTable } from '../schema.ts'
import { mailOutbox } from './outbox.ts'

/** Sends a mail right away; the first few retries take seconds. */
export const sendMailJob = defineJob<{ mailId: number }>({
  name: 'send-mail',
  concurrency: 4,
  retries: 3,
  run: (context, { mailId }) => mailOutbox.sendOrThrow(context, mailId),
})

/** Handles later retries, and mails whose sender died. */
const mailsSweepJob = defineJob({ name: 'mails-sweep', cron: '* * * * *', run: mailOutbox.retry })

const mailRetentionJob = defineJob({ name: 'mail-retention', cron: '15 4 * * *', run: deleteOldMails })

export const mailJobs = [sendMailJob, mailsSweepJob, mailRetentionJob]

/** Deletes mails that are past their retention, with the rating links in them. Unsent mails stay. */
export async function deleteOldMails({ db, jobs, settings: { RETAIN_MAILS_DAYS: days } }: AppContext): Promise<void> {
  if (days === undefined) return
  const { id, state, created_at } = mailsTable
  const isOld = lt(created_at, sql`now() - ${days} * interval '1 day'`)
  const mayGo = notInArray(state, [mailState.queued, mailState.sending])
  await deleteOldRows(db, mailsTable, { id, isOld, mayGo }, jobs.stopping)
}
