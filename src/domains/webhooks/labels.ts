/** The events that a receiver can subscribe to. */
export const webhookEventTypes = [
  'lead.created',
  'lead.verified',
  'lead.spam',
  'lead.rated',
  'lead.moved',
  'signal.opened',
  'signal.closed',
  'statement.sent',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

export const webhookEventTitles: Record<WebhookEventType, string> = {
  'lead.created': 'Lead created',
  'lead.verified': 'Lead verified',
  'lead.spam': 'Lead tagged as spam',
  'lead.rated': 'Lead rated',
  'lead.moved': 'Lead moved to another campaign',
  'signal.opened': 'Signal opened',
  'signal.closed': 'Signal closed',
  'statement.sent': 'Statement sent',
}

/** The message that the Test button sends. */
export const testMessageType = 'test'
export type WebhookMessageType = WebhookEventType | typeof testMessageType

export const webhookMessageStates = ['waiting', 'delivered', 'failed'] as const

/** PostgreSQL channel: a message is waiting. */
export const webhookChannel = 'leadline_webhook'
