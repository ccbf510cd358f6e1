import { defineJob } from '#domains/app-context.ts'
import { deleteOldMails } from './delete-old-mails.ts'
import { deliverMail } from './deliver.ts'
import { retryMails } from './retry.ts'

/** Hands one mail over as soon as there is one; its first few tries are a matter of seconds. */
export const sendMailJob = defineJob<{ mailId: number }>({
  name: 'send-mail',
  concurrency: 4,
  retries: 3,
  run: async (context, { mailId }) => {
    const outcome = await deliverMail(context, mailId)
    if (outcome === 'unreachable' || outcome === 'deferred')
      throw new Error('The mail could not be handed over; it waits')
  },
})

/** Later tries, and mails whose sender died. */
const mailsSweepJob = defineJob({
  name: 'mails-sweep',
  cron: '* * * * *',
  run: retryMails,
})

const mailRetentionJob = defineJob({ name: 'mail-retention', cron: '15 4 * * *', run: deleteOldMails })

export const mailJobs = [sendMailJob, mailsSweepJob, mailRetentionJob]
