import { defineJob } from '#domains/app-context.ts'
import { deleteOldMails } from './delete-old-mails.ts'
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
