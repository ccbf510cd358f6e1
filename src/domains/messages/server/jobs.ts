import { defineJob } from '#domains/app-context.ts'
import { messageOutbox } from './outbox.ts'

/** Sends one message as soon as it is queued; the first few tries are seconds apart. */
export const sendMessageJob = defineJob<{ messageId: number }>({
  name: 'send-message',
  concurrency: 4,
  retries: 3,
  run: (context, { messageId }) => messageOutbox.sendOrThrow(context, messageId),
})

/** Handles later retries, and messages that expired or whose sender died. */
const messagesSweepJob = defineJob({ name: 'messages-sweep', cron: '* * * * *', run: messageOutbox.retry })

export const messageJobs = [sendMessageJob, messagesSweepJob]
