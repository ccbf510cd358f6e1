import { handlerFlags } from '#contract/allow.ts'
import { pageSizes } from '#contract/paged.ts'
import { pageTitles } from '#contract/pages.ts'
import { maxImageBytes } from '#domains/activity/files/contract.ts'
import { troubleStates } from '#domains/campaigns/labels.ts'
import { maxImportBytes, maxImportLines } from '#domains/imports/contract.ts'
import { importKindTitles } from '#domains/imports/labels.ts'
import { maxExportRows } from '#domains/leads/export/contract.ts'
import { leadTags, missedCallTags, progressLabels } from '#domains/leads/labels.ts'
import { getGmbStatusName, gmbStatuses, suspendedStatus } from '#domains/listings/gmbs/labels.ts'
import { verificationStatusLabels } from '#domains/listings/google/labels.ts'
import { maxMuteDays } from '#domains/signals/labels.ts'
import { siteStatusLabels } from '#domains/sites/checks/contract.ts'

const formatCount = (count: number) => count.toLocaleString('en-US')
const formatMegabytes = (bytes: number) => formatCount(bytes / 1024 / 1024)
const formatList = (names: Iterable<string>) => [...names].join(', ')

/** Values that the pages take from the contracts, so that they stay true. */
const placeholders: Record<string, string> = {
  campaignStatuses: formatList(troubleStates.map(({ label }) => label)),
  handlerPages: formatList(handlerFlags.map((flag) => pageTitles[flag])),
  importKinds: formatList(Object.values(importKindTitles)),
  leadTags: formatList(leadTags),
  listingStatuses: formatList(gmbStatuses.map(({ name }) => name)),
  liveStatus: siteStatusLabels[1],
  maxExportRows: formatCount(maxExportRows),
  maxImageMegabytes: formatMegabytes(maxImageBytes),
  maxImportLines: formatCount(maxImportLines),
  maxImportMegabytes: formatMegabytes(maxImportBytes),
  maxMuteDays: formatCount(maxMuteDays),
  missedCallTags: missedCallTags.join(' or '),
  offlineStatus: siteStatusLabels[0],
  pageSizes: `${pageSizes.slice(0, -1).join(', ')} or ${pageSizes.at(-1)}`,
  progressLabels: formatList(Object.values(progressLabels)),
  suspendedStatus: getGmbStatusName(suspendedStatus),
  verificationStatuses: formatList(Object.values(verificationStatusLabels)),
}

/** Fills in `{{names}}`. Throws on an unknown one. */
export const fillPlaceholders = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = placeholders[name]
    if (value === undefined) throw new Error(`The guide names an unknown value: ${name}`)
    return value
  })
