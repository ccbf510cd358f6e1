import { type Secrets, sameText } from '#core/secrets/secrets.ts'

const minutes = 10

/** An address of ours that plays one lead's recording for ten minutes. `by` is who it was given to. */
export function recordingAddress(secrets: Secrets, leadId: number, by: string): string {
  const expires = Date.now() + minutes * 60_000
  const query = new URLSearchParams({ by, expires: String(expires), signature: sign(secrets, leadId, by, expires) })
  return `/api/recording/${leadId}/stream?${query}`
}

type Given = { by: string; expires: number; signature: string }

/** Whether we gave this address out for this lead, and it still lives. */
export const isGiven = (secrets: Secrets, leadId: number, { by, expires, signature }: Given): boolean =>
  sameText(signature, sign(secrets, leadId, by, expires)) && expires > Date.now()

const sign = (secrets: Secrets, leadId: number, by: string, expires: number) =>
  secrets.sign(`recording ${leadId} ${by} ${expires}`)
