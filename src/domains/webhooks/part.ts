import type { ServerPart } from '#domains/server-part.ts'
import { webhookChannel } from './labels.ts'
import { webhooksHandlers } from './server/handlers.ts'
import { webhookJobs } from './server/jobs.ts'
import { webhooksPersonalData } from './server/personal-data.ts'
import { startWebhookSender } from './server/sender.ts'

export const webhooksPart: ServerPart = {
  handlers: webhooksHandlers,
  jobs: webhookJobs,
  workers: [startWebhookSender],
  channels: [webhookChannel],
  personalData: webhooksPersonalData,
  withoutPeople: { 'Addresses of receivers, chosen by staff': ['webhooks'] },
  encryptedColumns: [{ table: 'webhooks', column: 'secret', id: 'id' }],
  // A message gets an attempt that says so, from which it can be resent.
  afterRestore: [
    {
      table: 'webhook_messages',
      sql: `
        with stopped as (
          update webhook_messages set state = 'failed' where state = 'waiting' returning id, webhook_id
        )
        insert into webhook_deliveries (message, webhook_id, at, attempt, status, answer, ms)
        select id, webhook_id, now(), 1 + (select count(*) from webhook_deliveries where message = stopped.id), null,
          'Restored from a backup; it may have been sent since', 0
        from stopped order by id`,
    },
  ],
  listRules: { webhook: 'their own; super admins see all' },
}
