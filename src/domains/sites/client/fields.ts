import { z } from 'zod'
import { isShortenedId, shortenedNumberMessage } from '#contract/column-reading.ts'
import { defineFields } from '#contract/field-definitions.ts'
import { booleanField, idField, optionalText, requiredId } from '#contract/fields.ts'
import { byId } from '#contract/filter-definitions.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { siteStatusFilter, siteStatusSchema, siteUrlFilters } from '../checks/contract.ts'

/** A client site; the other results of checks are `siteCheckShape`. */
export const clientSiteFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  url: {
    kind: 'link',
    label: 'URL',
    row: z.string(),
    form: httpUrlField('Please input URL'),
    column: true,
    sort: true,
    import: { also: ['address', 'site', 'website', 'domain'] },
  },
  callrail_campaign_identifier: {
    kind: 'text',
    label: 'CallRail Company ID',
    row: z.string().nullable(),
    form: optionalText(100)
      .refine((id) => id === null || !isShortenedId(id), shortenedNumberMessage)
      .default(null),
    import: { required: true, also: ['callrail', 'callrail id', 'company id'] },
  },
  /** Not stored: allows a site without a CallRail Company ID. */
  forms_only: { kind: 'flag', label: 'Only forms, no calls', form: booleanField.default(false) },
  campaign: {
    kind: 'custom',
    label: 'Campaign',
    row: z.object({ id: idField, name: z.string() }).nullable(),
    column: true,
    sort: true,
  },
  campaign_id: {
    kind: 'custom',
    label: 'Campaign',
    form: requiredId('Please select Campaign'),
    import: {
      name: 'campaign',
      also: ['campaign_id', 'campaign name'],
      about: 'Name or number',
      isReference: true,
    },
  },
  /** Write-only. Empty keeps the stored key. */
  callrail_signing_key: {
    kind: 'custom',
    label: 'CallRail Signing Key',
    form: z
      .string()
      .trim()
      .max(255, 'At most 255 characters')
      .transform((key) => key || null)
      .nullish(),
    import: { isSecret: true, also: ['signing key'] },
  },
  version: { kind: 'count', label: 'Version', row: z.int() },
  status: { kind: 'custom', label: 'Status', row: siteStatusSchema, column: true, sort: true },
  ip: { kind: 'text', label: 'IP', row: z.string().nullable(), column: true, sort: true },
})

export const clientSiteFilters = {
  ...siteUrlFilters,
  campaign_id: byId({ label: 'Campaign' }),
  status: siteStatusFilter,
}
