export { readClient } from './server/queries.ts'
export { dedupeAddresses, readClientRecipients } from './server/recipients.ts'
export { lockWholeClient, requireWholeClient } from './server/whole-client.ts'
