import { z } from 'zod'
import { allowEveryone, superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { colorField, emailField, requiredText, textField, versionField } from '#contract/fields.ts'
import { isLogoAddress, logoAddressMessage } from '#contract/logo-address.ts'

/** A URL, or the image itself as a data URL that fits into the largest accepted body. */
const logoField = z.preprocess(
  (value) => (value === '' ? null : value),
  z.string().max(700_000, 'At most 500 KB').refine(isLogoAddress, logoAddressMessage).nullable(),
)

const maxAddressLines = 6
/** Blank lines are left out. */
const addressField = z
  .array(textField(200), 'Must be a list of lines')
  .max(100, `At most ${maxAddressLines} lines`)
  .transform((lines) => lines.filter((line) => line !== ''))
  .refine((lines) => lines.length <= maxAddressLines, `At most ${maxAddressLines} lines`)
const termsMessage = 'Must be 0 to 365 days'
const termsDaysField = z.int(termsMessage).min(0, termsMessage).max(365, termsMessage)
const replyField = z.preprocess((value) => (value === '' ? null : value), emailField.nullable())

const agencyFormSchema = z.strictObject({
  name: requiredText('Please input name', 100),
  color: colorField,
  logo: logoField.optional(),
  address_lines: addressField.optional(),
  terms_days: termsDaysField.optional(),
  email: replyField.optional(),
  /** The one that the editor read; without it the last write wins. */
  version: versionField,
})
const agencySchema = z.object({
  name: z.string(),
  color: z.string(),
  logo: z.string().nullable(),
  /** As it stands on statements. */
  address_lines: z.array(z.string()),
  /** Days from the sending of a statement to its due day. */
  terms_days: z.int(),
  /** Where clients' answers to emails go. */
  email: z.string().nullable(),
  version: z.int(),
})
export type Agency = z.infer<typeof agencySchema>

/** The brand that clients see: `logo` is always a URL on our host. */
export const agencyBrandSchema = agencySchema.pick({ name: true, color: true, logo: true })
export type AgencyBrand = z.infer<typeof agencyBrandSchema>

export const maxLogoBytes = 2 * 1024 * 1024
export const logoTooLargeMessage = 'A logo may have at most 2 MB'
export const logoTypeMessage = 'Only PNG, JPEG, WebP and SVG images can be uploaded'

export const agencyContract = {
  read: endpoint('GET /agency', {
    allow: superAdminOnly,
    reads: ['agency'],
    description:
      'The name, color and logo that clients see on reports, statements, emails and the rating page, and what statements say.',
    response: agencySchema,
  }),
  update: endpoint('PUT /agency', {
    allow: superAdminOnly,
    changes: ['agency'],
    description:
      'Changes name, color and logo; `logo` is a URL or a data URL of a PNG, JPEG, WebP or GIF image. The defaults are AGENCY_NAME, AGENCY_COLOR and AGENCY_LOGO. `logo`, `address_lines` (at most 6), `terms_days` (30 at first) and `email`, to which clients reply, stay as they are if they are left out. Returns 409 with the newer values for a version older than the stored one.',
    body: agencyFormSchema,
    response: agencySchema,
    conflict: { newer: agencySchema },
    success: 'Agency was updated successfully',
  }),
  uploadLogo: endpoint('POST /agency/logo', {
    allow: superAdminOnly,
    changes: ['agency'],
    description:
      'One image as multipart form data in `file`: PNG, JPEG, WebP or SVG by its content, at most 2 MB. A PNG image is made of it, at most 640 pixels wide and 200 high; the file itself is not kept. An SVG with more than a drawing in it is refused.',
    upload: true,
    response: agencySchema,
    success: 'Logo was uploaded successfully',
  }),
  removeLogo: endpoint('DELETE /agency/logo', {
    allow: superAdminOnly,
    changes: ['agency'],
    description: 'Removes the logo.',
    response: agencySchema,
    success: 'Logo was removed successfully',
  }),
  logo: endpoint('GET /agency/logo', {
    allow: allowEveryone,
    description: 'The logo as a PNG image, for the pages and emails of clients.',
    file: 'logo.png',
    streams: true,
  }),
}
