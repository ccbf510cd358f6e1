import { z } from 'zod'
import type { SecretBox } from '#core/secrets/secrets.ts'

const emailContent = z.object({
  to: z.string(),
  /** The client that it is written to: nothing is sent to one who is removed, or, if it must be active, switched off. */
  client: z.object({ id: z.number(), must_be_active: z.boolean() }).nullable().default(null),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  headers: z.record(z.string(), z.string()),
  attachments: z.array(
    z.object({ filename: z.string(), content_type: z.string(), content: z.base64(), cid: z.string().optional() }),
  ),
})
const chatContent = z.object({ url: z.string(), text: z.string() })

export type EmailContent = z.infer<typeof emailContent>
export type ChatContent = z.infer<typeof chatContent>
export type MessageContent = EmailContent | ChatContent

const getSealPlace = (dedupeKey: string) => `messages.content:${dedupeKey}`

export const sealContent = (secrets: SecretBox, dedupeKey: string, content: MessageContent): Buffer =>
  secrets.seal(JSON.stringify(content), getSealPlace(dedupeKey))

export function openContent(secrets: SecretBox, dedupeKey: string, sealed: Buffer): MessageContent {
  const content: unknown = JSON.parse(secrets.open(sealed, getSealPlace(dedupeKey)))
  return z.union([emailContent, chatContent]).parse(content)
}
