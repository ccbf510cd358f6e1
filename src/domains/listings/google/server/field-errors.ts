import type { FieldErrors } from '#core/http/errors.ts'
import type { GoogleApiError } from '#integrations/google/errors.ts'
import { type ChangedLocationFields, getPartFields } from '../labels.ts'

/** Maps Google's errors to our fields, preferring fields that were changed. */
export function toLocationFieldErrors({ fields }: GoogleApiError, changed: ChangedLocationFields): FieldErrors {
  const errors: FieldErrors = {}
  for (const [part, sentences] of Object.entries(fields)) {
    const ours = getPartFields(part)
    const field = ours.find((one) => one in changed) ?? ours[0]
    if (field) errors[field] = [...(errors[field] ?? []), ...sentences]
  }
  return errors
}
