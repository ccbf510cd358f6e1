import { isEqualText, type SecretBox } from '#core/secrets/secrets.ts'

const lifetimeMinutes = 10

/** Creates a signed URL that plays one lead's recording for ten minutes. `by` is who it is issued to. */
export function createRecordingUrl(secrets: SecretBox, leadId: number, by: string): string {
  const expires = Date.now() + lifetimeMinutes * 60_000
  const query = new URLSearchParams({
    by,
    expires: String(expires),
    signature: signRecording(secrets, leadId, by, expires),
  })
  return `/api/recording/${leadId}/stream?${query}`
}

type RecordingSignature = { by: string; expires: number; signature: string }

/** Returns whether this URL was issued for this lead and has not expired. */
export const verifyRecordingUrl = (
  secrets: SecretBox,
  leadId: number,
  { by, expires, signature }: RecordingSignature,
): boolean => isEqualText(signature, signRecording(secrets, leadId, by, expires)) && expires > Date.now()

const signRecording = (secrets: SecretBox, leadId: number, by: string, expires: number) =>
  secrets.sign(`recording ${leadId} ${by} ${expires}`)
