import { createInvalidArgument, createRpcError, type StandInResponse } from './reply.ts'
import type { GoogleStandInState, StandInLocation } from './state.ts'

const writableFields =
  'title storeCode phoneNumbers categories storefrontAddress websiteUri regularHours specialHours serviceArea labels openInfo profile moreHours serviceItems'.split(
    ' ',
  )

/** Returns Google's error response for an invalid change; null for a valid one. */
export function findPatchError(
  { categories }: GoogleStandInState,
  location: StandInLocation,
  mask: string[],
  sent: Record<string, unknown>,
): StandInResponse | null {
  const unknown = mask.filter((field) => !writableFields.includes(field))
  if (mask.length === 0 || unknown.length > 0)
    return createInvalidArgument([{ field: 'update_mask', description: 'Invalid field mask provided' }], {
      reason: 'INVALID_ATTRIBUTE_NAME',
    })
  const has = (field: string) => mask.includes(field)
  const violations: { field: string; description: string }[] = []
  if (has('title') && !String(sent.title ?? '').trim())
    violations.push({ field: 'location.title', description: 'A business needs a name.' })
  if (has('websiteUri') && sent.websiteUri && !URL.canParse(String(sent.websiteUri)))
    violations.push({ field: 'location.website_uri', description: 'This is not a valid website address.' })
  const description = getPath(sent, 'profile', 'description')
  if (has('profile') && typeof description === 'string' && description.length > 750)
    violations.push({ field: 'location.profile.description', description: 'At most 750 characters are allowed.' })
  const phone = getPath(sent, 'phoneNumbers', 'primaryPhone')
  if (has('phoneNumbers') && phone && !/^\+?[\d\s().-]{7,20}$/.test(String(phone)))
    violations.push({ field: 'location.phone_numbers.primary_phone', description: 'The phone number is not valid.' })
  const names = [
    getPath(sent, 'categories', 'primaryCategory', 'name'),
    ...((getPath(sent, 'categories', 'additionalCategories') as { name: string }[] | undefined) ?? []).map(
      ({ name }) => name,
    ),
  ]
  if (has('categories') && !names.every((name) => categories.some((one) => one.name === name)))
    violations.push({ field: 'location.categories', description: 'There is no such category.' })
  if (violations.length > 0) return createInvalidArgument(violations)
  return findMaskError(location, has, sent)
}

/** Returns errors that Google reports without a violation: with a reason, and the field in its metadata. */
function findMaskError(
  location: StandInLocation,
  has: (field: string) => boolean,
  sent: Record<string, unknown>,
): StandInResponse | null {
  const said = (reason: string, field_mask: string) =>
    createRpcError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', {
      info: { reason, metadata: { field_mask } },
    })
  const lines = getPath(sent, 'storefrontAddress', 'addressLines')
  if (has('storefrontAddress') && Array.isArray(lines) && lines.some((line) => /\bP\.?O\.? ?box\b/i.test(String(line))))
    return said('PO_BOX_IN_ADDRESS_NOT_ALLOWED', 'storefront_address')
  const now = { ...location, ...sent }
  if ((has('phoneNumbers') || has('websiteUri')) && !getPath(now, 'phoneNumbers', 'primaryPhone') && !now.websiteUri)
    return said('MISSING_BOTH_PHONE_AND_WEBSITE', 'phone_numbers,website_uri')
  return null
}

/** Returns the value at a path through objects. */
const getPath = (value: unknown, ...way: string[]): unknown =>
  way.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
