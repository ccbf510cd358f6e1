export { recordWebhookEvents, type WebhookEvent } from './server/record-events.ts'
