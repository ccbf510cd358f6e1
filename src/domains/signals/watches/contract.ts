import { z } from 'zod'
import { mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, timeField } from '#contract/fields.ts'
import { secretField } from '#contract/secret-fields.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { isTimeZone } from '#contract/zoned-time.ts'
import { signalKinds } from '../labels.ts'
import { watchChannels, watchDigests } from './labels.ts'

const watchSchema = z
  .strictObject({
    /** `*` is every kind without a watch of its own. */
    kind: z.enum(['*', ...signalKinds]),
    /** Null: all campaigns that the user sees, and signals without one. */
    campaign_ids: z.array(idField).max(5000, 'At most 5000 campaigns').nullable().default(null),
    channel: z.enum(watchChannels),
    digest: z.enum(watchDigests),
    quiet_from: timeField().nullable().default(null),
    quiet_until: timeField().nullable().default(null),
    timezone: z.string().max(60).refine(isTimeZone, 'Not a time zone'),
  })
  .refine(({ quiet_from, quiet_until }) => (quiet_from === null) === (quiet_until === null), {
    path: ['quiet_until'],
    error: 'Please enter both ends of the quiet hours',
  })
export type SignalWatch = z.output<typeof watchSchema>

const watchesSchema = z
  .strictObject({
    /** An incoming webhook that accepts `{ text }`, like Slack's. */
    webhook_url: httpUrlField('Please input the webhook address').nullable().default(null),
    /** The most specific watch applies: its kind before `*`, its campaigns before all. Without watches the defaults apply. */
    watches: z.array(watchSchema).max(200, 'At most 200 watches'),
    /** Ignored, so that a response can be edited and sent back. */
    is_default: z.boolean().optional(),
    webhook_problem: z.string().nullable().optional(),
  })
  .refine(({ webhook_url, watches }) => webhook_url !== null || watches.every(({ channel }) => channel !== 'webhook'), {
    path: ['webhook_url'],
    error: 'Please input the webhook address',
  })
export type SignalWatches = z.output<typeof watchesSchema>

const watchesAnswerSchema = z.object({
  /** Whoever has such an address can write to its channel. */
  webhook_url: secretField(),
  watches: z.array(watchSchema),
  /** Whether nothing was ever saved: severe signals at once, the rest in a digest at 8:00. */
  is_default: z.boolean(),
  /** Why the webhook was switched off. */
  webhook_problem: z.string().nullable(),
})

export const watchesContract = {
  read: endpoint('GET /user/watches', {
    allow: mayUsePages('dashboard'),
    reads: ['user'],
    description: 'The caller’s notification settings for signals.',
    response: watchesAnswerSchema,
  }),
  save: endpoint('PUT /user/watches', {
    allow: mayUsePages('dashboard'),
    changes: ['user'],
    description: 'Replaces the caller’s watches. An empty list restores the defaults.',
    body: watchesSchema,
    response: watchesAnswerSchema,
    success: 'Notifications were saved',
  }),
  test: endpoint('POST /user/watches/test', {
    allow: mayUsePages('dashboard'),
    changes: [],
    description:
      'Sends the caller a test of what would be sent now, through each of their channels, and returns its text.',
    response: z.object({
      sent: z.array(z.object({ channel: z.enum(watchChannels), to: z.string(), text: z.string() })),
    }),
    success: 'A test message was sent',
  }),
}
