import { z } from 'zod'
import { adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, httpUrlField, idField } from '#contract/fields.ts'
import { testMessageType, webhookEventTypes } from './labels.ts'

/** Also who may go on receiving: a webhook ends when its maker may not do this anymore. */
export const canKeepWebhooks = bothRules(adminOnly, mayUsePages('leads'))

const webhookSchema = z.object({
  id: idField,
  url: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  active: z.boolean(),
  problem: z.string().nullable(),
  created_at: z.string(),
})
export type Webhook = z.infer<typeof webhookSchema>
const newWebhookSchema = webhookSchema.extend({ secret: z.string() })
export type NewWebhook = z.infer<typeof newWebhookSchema>

const webhookDeliverySchema = z.object({
  id: idField,
  /** `webhook-id`: the same in every try of a message. */
  message_id: z.string(),
  type: z.enum([...webhookEventTypes, testMessageType]),
  at: z.string(),
  attempt: z.int(),
  status: z.int().nullable(),
  /** The first 2,000 characters of the answer, or why there was none. */
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
    description: "One's own webhooks, the newest first; super admins see all.",
    response: z.array(webhookSchema),
  }),
  create: endpoint('POST /webhooks', {
    allow: canKeepWebhooks,
    description:
      'Makes a webhook and answers its secret, once. It is told of what its maker may read, in messages as Standard Webhooks has them.',
    body: z.strictObject(webhookFields),
    response: newWebhookSchema,
  }),
  update: endpoint('PUT /webhooks/:id', {
    allow: canKeepWebhooks,
    description: 'Changes what is sent. What waits goes out when it is switched on again.',
    body: z.strictObject({ ...webhookFields, active: booleanField }).partial(),
    response: webhookSchema,
    success: 'Webhook was saved',
  }),
  remove: endpoint('DELETE /webhooks/:id', {
    allow: canKeepWebhooks,
    confirm: 'Are you sure to remove this webhook?',
    success: 'Webhook was removed',
  }),
  test: endpoint('POST /webhooks/:id/test', {
    allow: canKeepWebhooks,
    description: 'Sends a message of type `test`. What became of it is among the deliveries.',
    response: queuedMessageSchema,
    success: 'A test message is on its way',
  }),
  deliveries: endpoint('GET /webhooks/:id/deliveries', {
    allow: canKeepWebhooks,
    description: 'The last 200 tries, the newest first, with what was answered. They are kept for 30 days.',
    response: z.array(webhookDeliverySchema),
  }),
  resend: endpoint('POST /webhooks/:id/deliveries/:delivery/resend', {
    allow: canKeepWebhooks,
    description: 'Sends the message of a delivery again, with the same `webhook-id`.',
    response: queuedMessageSchema,
    success: 'The message is sent again',
  }),
}
