import type { FieldErrors } from '#core/http/errors.ts'
import type { GoogleApiError } from '#integrations/google/errors.ts'
import { type ChangedLocationFields, getPartFields } from '../labels.ts'

/** What Google says of its parts, on the fields of ours that stand in them: on those that were changed, if any of them was. */
export function toLocationFieldErrors({ fields }: GoogleApiError, changed: ChangedLocationFields): FieldErrors {
  const errors: FieldErrors = {}
  for (const [part, sentences] of Object.entries(fields)) {
    const ours = getPartFields(part)
    const field = ours.find((one) => one in changed) ?? ours[0]
    if (field) errors[field] = [...(errors[field] ?? []), ...sentences]
  }
  return errors
}
