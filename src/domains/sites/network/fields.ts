import { z } from 'zod'
import { defineFields, sortedColumn } from '#contract/field-definitions.ts'
import { idField, requiredId } from '#contract/fields.ts'
import { byId, byQuery } from '#contract/filter-definitions.ts'
import { instantField } from '#contract/instants.ts'
import { httpUrlField, queryHost } from '#contract/web-address.ts'
import { siteCheckShape, siteStatusFilter, siteUrlFilters } from '../checks/contract.ts'

const optionalText = { row: z.string().nullable() } as const
const optionalDate = { row: z.iso.date().nullable() } as const
const optionalTime = { row: instantField.nullable() } as const

/** A site of our own network; the other results of checks are `siteCheckShape`. */
export const networkSiteFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  url: {
    kind: 'link',
    label: 'URL',
    row: z.string(),
    form: httpUrlField('Please input URL'),
    ...sortedColumn,
    import: { also: ['address', 'site', 'website', 'domain', 'domain name', 'root domain', 'referring domain'] },
  },
  category: { kind: 'longText', label: 'Category', row: z.string(), ...sortedColumn },
  category_id: {
    kind: 'custom',
    label: 'Category',
    row: idField,
    form: requiredId('Please select Campaign'), // as specified
    import: {
      name: 'category',
      also: ['category_id', 'network category'],
      about: 'Name or number',
      isReference: true,
    },
  },
  version: { kind: 'count', label: 'Version', row: z.int() },
  status: { kind: 'custom', label: 'Status', row: siteCheckShape.status, ...sortedColumn },
  http_status_code: { kind: 'custom', label: 'Http', row: siteCheckShape.http_status_code, ...sortedColumn },
  registrar: { kind: 'custom', label: 'Registrar', ...optionalText, ...sortedColumn },
  registrant: { kind: 'longText', label: 'Registrant', ...optionalText, ...sortedColumn },
  ip: {
    kind: 'custom',
    label: 'IP',
    row: z.object({ id: idField.nullable(), ip: z.string() }).nullable(),
    ...sortedColumn,
  },
  registration_date: { kind: 'date', label: 'Registration Date', ...optionalDate, ...sortedColumn },
  expiration_date: { kind: 'date', label: 'Expiration Date', ...optionalDate, ...sortedColumn },
  nameserver_1: { kind: 'longText', label: 'Nameserver 1', ...optionalText, ...sortedColumn },
  nameserver_2: { kind: 'longText', label: 'Nameserver 2', ...optionalText, ...sortedColumn },
  /** Why the registration is unknown. */
  registration_problem: { kind: 'longText', label: 'Registration Problem', ...optionalText },
  last_google_index: { kind: 'custom', label: 'Google Index', ...optionalTime, ...sortedColumn },
  /** When the search API was last queried; null without one. */
  google_asked_at: { kind: 'custom', label: 'Google Asked', ...optionalTime },
  redirect_url: { kind: 'link', label: '301', row: siteCheckShape.redirect_url, ...sortedColumn },
  reverse_ip: { kind: 'longText', label: 'Reverse IP', ...optionalText, ...sortedColumn },
  crawled_at: { kind: 'custom', label: 'Crawled', ...optionalTime },
  outgoing_links_parsing_error: {
    kind: 'longText',
    label: 'Outgoing links last error',
    ...optionalText,
    ...sortedColumn,
  },
  outgoing_links_parsing_failed_at: { kind: 'custom', label: 'Outgoing links failed', ...optionalTime },
})

export const networkSiteFilters = {
  ...siteUrlFilters,
  category: byId({ label: 'Category', columns: ['category_id'] }),
  status: siteStatusFilter,
  /** Sites that lead to this host: by a link, by a redirect, or because it is their own. */
  host: byQuery(queryHost, { label: 'Host' }),
}
