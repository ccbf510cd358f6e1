export { webhooksPersonalData } from './server/personal-data.ts'
export { recordWebhookEvents, type WebhookEvent } from './server/record-events.ts'
