import { inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import {
  describeMentions,
  type ErasedPerson,
  erasedText,
  findRecordIds,
  mentionsPerson,
  type PersonalData,
} from '#core/erasure/personal-data.ts'
import { webhookDeliveriesTable, webhookMessagesTable } from '../schema.ts'

/** Where outgoing webhooks store personal data. */
export const webhooksPersonalData: PersonalData[] = [
  {
    label: 'Webhook messages',
    table: webhookMessagesTable,
    columns: ['body'],
    mentioning: ['body'],
    kept: ['message_id', 'type', 'subject', 'state'],
    erase: eraseMessages,
  },
  describeMentions('Answers to webhooks', webhookDeliveriesTable, { columns: ['answer'] }),
]

/** What is left of a message about an erased person. */
export const erasedBody = JSON.stringify({ erased: erasedText })

/** Clears the whole message; a message not yet delivered is no longer sent. */
async function eraseMessages(tx: Tx, person: ErasedPerson): Promise<number> {
  const subjects = findRecordIds(person, 'lead').map((id) => `lead:${id}`)
  const { rowCount } = await tx
    .update(webhookMessagesTable)
    .set({
      body: erasedBody,
      state: sql`case when ${webhookMessagesTable.state} = 'waiting' then 'failed' else ${webhookMessagesTable.state} end`,
    })
    .where(or(inArray(webhookMessagesTable.subject, subjects), mentionsPerson(webhookMessagesTable, ['body'], person)))
  return rowCount ?? 0
}
