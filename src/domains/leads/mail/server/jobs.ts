import { job } from '#core/jobs/jobs.ts'
import { deliver } from './deliver.ts'
import { retryMails } from './retry.ts'

/** Hands one mail over as soon as there is one; its first few tries are a matter of seconds. */
export const sendMail = job<{ mailId: number }>({
  name: 'send-mail',
  concurrency: 4,
  retries: 3,
  run: async (house, { mailId }) => {
    const outcome = await deliver(house, mailId)
    if (outcome === 'unreachable' || outcome === 'deferred')
      throw new Error('The mail could not be handed over; it waits')
  },
})

/** Later tries, and mails whose sender died. */
const mailsSweep = job({
  name: 'mails-sweep',
  cron: '* * * * *',
  run: retryMails,
})

export const mailJobs = [sendMail, mailsSweep]
