import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, idField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { testMessageType, webhookEventTypes } from './labels.ts'

/** Also needed to keep receiving: a webhook ends when its creator loses this right. */
export const canKeepWebhooks = adminsWithPages('leads')

const webhookSchema = z.object({
  id: idField,
  url: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  active: z.boolean(),
  problem: z.string().nullable(),
  version: z.int(),
  created_at: textInstantField,
})
export type Webhook = z.infer<typeof webhookSchema>
const newWebhookSchema = webhookSchema.extend({ secret: z.string() })

const webhookDeliverySchema = z.object({
  id: idField,
  /** `webhook-id`: the same in every attempt of a message. */
  message_id: z.string(),
  type: z.enum([...webhookEventTypes, testMessageType]),
  /** The lead that the message is about; null if it is about something else. */
  lead_id: idField.nullable(),
  at: textInstantField,
  attempt: z.int(),
  status: z.int().nullable(),
  /** The first 2,000 characters of the response, or why there was none. */
  answer: z.string(),
  ms: z.int(),
})
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>

const webhookFields = {
  url: httpUrlField('Please input an address'),
  events: z
    .array(z.enum(webhookEventTypes, 'There is no such event'), 'Please select an event')
    .min(1, 'Please select an event')
    .transform((events) => webhookEventTypes.filter((type) => events.includes(type))),
}
const queuedMessageSchema = z.object({ message_id: z.string() })

export const webhooksContract = {
  list: endpoint('GET /webhooks', {
    allow: canKeepWebhooks,
    reads: ['webhook'],
    row: 'webhook',
    description: 'The caller’s webhooks, newest first; super admins see all.',
    response: z.array(webhookSchema),
  }),
  create: endpoint('POST /webhooks', {
    allow: canKeepWebhooks,
    changes: ['webhook'],
    newSecret: true,
    description:
      'Creates a webhook and returns its secret, once. It receives what its creator may read, in messages as specified by Standard Webhooks.',
    body: z.strictObject(webhookFields),
    response: newWebhookSchema,
  }),
  update: endpoint('PUT /webhooks/:id', {
    allow: canKeepWebhooks,
    changes: ['webhook'],
    row: 'webhook',
    description:
      'Changes the fields sent. Waiting messages are sent when the webhook is switched on again. Returns 409 with the newer webhook for a version older than the stored one.',
    /** `version` is the one that the editor read; without it the last write wins. */
    body: z.strictObject({ ...webhookFields, active: booleanField, version: z.int().min(1) }).partial(),
    response: webhookSchema,
    conflict: { newer: webhookSchema },
    success: 'Webhook was saved',
  }),
  remove: endpoint('DELETE /webhooks/:id', {
    allow: canKeepWebhooks,
    changes: ['webhook'],
    row: 'webhook',
    confirm: 'Are you sure you want to remove this webhook?',
    success: 'Webhook was removed',
  }),
  test: endpoint('POST /webhooks/:id/test', {
    allow: canKeepWebhooks,
    changes: ['webhook'],
    description: 'Sends a message of type `test`. What became of it is among the deliveries.',
    response: queuedMessageSchema,
    success: 'A test message is on its way',
  }),
  deliveries: endpoint('GET /webhooks/:id/deliveries', {
    allow: canKeepWebhooks,
    reads: ['webhook'],
    description: 'The last 200 attempts, newest first, with their responses. They are kept for 30 days.',
    response: z.array(webhookDeliverySchema),
  }),
  resend: endpoint('POST /webhooks/:id/deliveries/:delivery/resend', {
    allow: canKeepWebhooks,
    changes: ['webhook'],
    description: 'Sends the message of a delivery again, with the same `webhook-id`.',
    response: queuedMessageSchema,
    success: 'The message will be sent again',
  }),
}
