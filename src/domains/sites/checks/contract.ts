import { z } from 'zod'
import { defineFields, type FieldRow, sortedColumn } from '#contract/field-definitions.ts'
import { idField } from '#contract/fields.ts'
import { byChoice, bySearch } from '#contract/filter-definitions.ts'
import { instantField } from '#contract/instants.ts'
import { pagedFields } from '#contract/paged.ts'

/** The results of checks, shared by client sites, network sites and redirect domains. */

/** 1 answers with a 2xx or 3xx, 0 missed twice in a row, null unknown. */
export const siteStatusSchema = z.literal([0, 1]).nullable()
type SiteStatus = z.infer<typeof siteStatusSchema>
export const siteStatusLabels = { 1: 'Live', 0: 'Offline' } as const
export const formatSiteStatus = (status: SiteStatus) => (status === null ? '-' : siteStatusLabels[status])

/** The filters that lists of sites share. `unknown`: sites that were never checked. */
export const siteUrlFilters = { url: bySearch({ label: 'URL', max: 2048 }), ip: bySearch({ label: 'IP' }) }
export const siteStatusFilter = byChoice(
  ['1', '0', 'unknown'],
  { ...siteStatusLabels, unknown: 'Not checked' },
  { label: 'Status' },
)

/** The result of the last check. */
export const siteCheckShape = {
  status: siteStatusSchema,
  http_status_code: z.int().nullable(),
  /** The final URL, if the site redirects. */
  redirect_url: z.string().nullable(),
  tls_expires_at: instantField.nullable(),
  /** The site keeps checkers out (403, 406, 429, 451, a bot wall), so whether people can open it is unknown. */
  blocked: z.literal([0, 1]),
  /** The last check failed; a second failure in a row makes the site offline. */
  missed: z.literal([0, 1]),
  /** The error, as a sentence. */
  problem: z.string().nullable(),
  checked_at: instantField.nullable(),
  /** When the status last changed. */
  status_since: instantField.nullable(),
  /** No check has ever reached the site. */
  never_live: z.literal([0, 1]),
}
export type SiteCheckResult = z.infer<z.ZodObject<typeof siteCheckShape>>

type NamedStatus = Pick<SiteCheckResult, 'status'> & Partial<Pick<SiteCheckResult, 'never_live'>>
/** Returns the status in words: an offline site that was never live is not called so. */
export const nameSiteStatus = ({ status, never_live }: NamedStatus) =>
  status === 0 && never_live ? 'Not reached yet' : formatSiteStatus(status)

/** Describes the result of a check, for the message of its call. */
export function describeSiteCheck(site: SiteCheckResult) {
  const { status, http_status_code: code, problem, redirect_url, blocked, missed } = site
  const found = problem ?? `The site answers ${code}${redirect_url ? ` at ${redirect_url}` : ''}`
  const name = nameSiteStatus(site)
  // A check that shows nothing, because it is kept out or cannot reach the address from here, never counts.
  if (status === 1 && (missed || blocked || code === null))
    return `${found}. The status stays ${name}${missed ? ' until a second check fails' : ''}`
  return `${name === '-' ? '' : `${name}. `}${found}`
}

/** A site's log: a row for each change, newest first. */
export const siteLogFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  created_at: { kind: 'instant', label: 'Time', row: instantField, ...sortedColumn },
  status: { kind: 'custom', label: 'Status', row: siteStatusSchema, column: { width: 120 } },
  /** No check had reached the site by then. */
  never_live: { kind: 'count', label: 'Never live', row: siteCheckShape.never_live },
})
export type SiteLog = FieldRow<typeof siteLogFields>
export const pagedSiteLogs = pagedFields(siteLogFields, { sort: 'created_at', order: 'desc', perPage: 50 })
