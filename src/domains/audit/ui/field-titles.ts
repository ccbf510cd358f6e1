import type { FieldDefinition } from '#contract/field-definitions.ts'
import { campaignFields } from '#domains/campaigns/fields.ts'
import { clientFields } from '#domains/clients/fields.ts'
import { leadFields } from '#domains/leads/fields.ts'
import { gmbFields } from '#domains/listings/gmbs/fields.ts'
import { clientSiteFields } from '#domains/sites/client/fields.ts'
import { networkSiteFields } from '#domains/sites/network/fields.ts'
import { redirectDomainFields } from '#domains/sites/redirects/fields.ts'

type Labels = Partial<Record<string, Pick<FieldDefinition, 'label'>>>
const fieldsByKind: Partial<Record<string, Labels>> = {
  campaign: campaignFields,
  client: clientFields,
  lead: leadFields,
  listing: gmbFields,
  'client site': clientSiteFields,
  'network site': networkSiteFields,
  'redirect domain': redirectDomainFields,
}

/** Returns the form label of a stored field, or the field name in words. */
export const getAuditFieldTitle = (kind: string, field: string): string =>
  fieldsByKind[kind]?.[field]?.label ?? capitalizeFirst(field.replace(/(.)_id$/, '$1').replaceAll('_', ' '))

export const capitalizeFirst = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Returns a reference as text, with a campaign's name if known; null if the value is not a reference. */
export function formatReference(field: string, value: unknown, campaigns: ReadonlyMap<number, string>): string | null {
  if (typeof value !== 'number' || !field.endsWith('_id')) return null
  const name = field === 'campaign_id' ? campaigns.get(value) : undefined
  return name ? `${name} (No. ${value})` : `No. ${value}`
}
