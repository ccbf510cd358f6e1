import { defineJob } from '#domains/app-context.ts'
import { deleteOldMails } from './delete-old-mails.ts'
import { deliverMail } from './deliver.ts'
import { retryMails } from './retry.ts'

/** Sends a mail right away; the first few retries take seconds. */
export const sendMailJob = defineJob<{ mailId: number }>({
  name: 'send-mail',
  concurrency: 4,
  retries: 3,
  run: async (context, { mailId }) => {
    const outcome = await deliverMail(context, mailId)
    if (outcome === 'unreachable' || outcome === 'deferred')
      throw new Error('The mail could not be sent; it stays queued')
  },
})

/** Handles later retries, and mails whose sender died. */
const mailsSweepJob = defineJob({
  name: 'mails-sweep',
  cron: '* * * * *',
  run: retryMails,
})

const mailRetentionJob = defineJob({ name: 'mail-retention', cron: '15 4 * * *', run: deleteOldMails })

export const mailJobs = [sendMailJob, mailsSweepJob, mailRetentionJob]
