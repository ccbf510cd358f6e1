import { corePersonalData } from '#core/audit/erase-audit.ts'
import type { BackupPlan } from '#core/backup/backup-plan.ts'
import { jobGauges } from '#core/jobs/gauges.ts'
import type { DatabaseGauge } from '#core/metrics/metrics.ts'
import { accessPart } from '#domains/access/part.ts'
import { activityPart } from '#domains/activity/part.ts'
import { agencyPart } from '#domains/agency/part.ts'
import type { ImplementedEndpoint, JobDefinition } from '#domains/app-context.ts'
import { auditPart } from '#domains/audit/part.ts'
import { billingPart } from '#domains/billing/part.ts'
import { campaignsPart } from '#domains/campaigns/part.ts'
import { clientsPart } from '#domains/clients/part.ts'
import { connectionsPart } from '#domains/connections/part.ts'
import { dashboardPart } from '#domains/dashboard/part.ts'
import { happeningsPart } from '#domains/happenings/part.ts'
import { importKinds } from '#domains/imports/labels.ts'
import { importsPart } from '#domains/imports/part.ts'
import type { ImportDefinition } from '#domains/imports/public.ts'
import { insightsPart } from '#domains/insights/part.ts'
import { leadsPart } from '#domains/leads/part.ts'
import { listingsPart } from '#domains/listings/part.ts'
import { messagesPart } from '#domains/messages/part.ts'
import { movesPart } from '#domains/moves/part.ts'
import { readOldLeadIds } from '#domains/moves/public.ts'
import { recordsPart } from '#domains/records/part.ts'
import { reportsPart } from '#domains/reports/part.ts'
import type { DeclaredParts, ServerPart } from '#domains/server-part.ts'
import { signalsPart } from '#domains/signals/part.ts'
import { readSilentSources } from '#domains/signals/public.ts'
import { sitesPart } from '#domains/sites/part.ts'
import { webhooksPart } from '#domains/webhooks/part.ts'
import { importedRowReferences } from './imported-rows.ts'
import { moveWriters } from './moved-things/writers.ts'
import { staffImports } from './staff-import.ts'

/** Every domain. */
const serverParts: readonly ServerPart[] = [
  accessPart,
  auditPart,
  campaignsPart,
  billingPart,
  clientsPart,
  sitesPart,
  activityPart,
  happeningsPart,
  listingsPart,
  leadsPart,
  recordsPart,
  insightsPart,
  reportsPart,
  agencyPart,
  connectionsPart,
  importsPart,
  movesPart,
  signalsPart,
  webhooksPart,
  messagesPart,
  dashboardPart,
]

export const declaredParts: DeclaredParts = {
  tables: serverParts.flatMap(({ tables = [] }) => tables),
  hideableColumns: mergeParts(({ hideableColumns }) => hideableColumns),
  savedViews: mergeParts(({ savedViews }) => savedViews),
  scopedRows: serverParts.flatMap(({ scopedRows = [] }) => scopedRows),
  listRules: mergeParts(({ listRules }) => listRules),
  explainedFields: serverParts.flatMap(({ explainedFields = [] }) => explainedFields),
  imports: requireImports(),
  moves: moveWriters,
  readSilentSources,
  readOldLeadIds,
  handOverCampaign: serverParts.flatMap(({ handOverCampaign = [] }) => handOverCampaign),
  connectionUses: serverParts.flatMap(({ connectionUses = [] }) => connectionUses),
  personalData: [...serverParts.flatMap(({ personalData = [] }) => personalData), ...corePersonalData],
}

/** Every endpoint of the product. */
export const allEndpoints: readonly ImplementedEndpoint[] = serverParts.flatMap(({ handlers = [] }) =>
  typeof handlers === 'function' ? handlers(declaredParts) : handlers,
)

/** Every job. */
export const allJobs: readonly JobDefinition<never>[] = serverParts.flatMap(({ jobs = [] }) =>
  typeof jobs === 'function' ? jobs(declaredParts) : jobs,
)

/** All work beside jobs. */
export const allWorkers = serverParts.flatMap(({ workers = [] }) => workers)

/** Every channel on which commits are announced. */
export const liveChannels: readonly string[] = serverParts.flatMap(({ channels = [] }) => channels)

export const declaredGauges: readonly DatabaseGauge[] = [
  ...jobGauges,
  ...serverParts.flatMap(({ gauges = [] }) => gauges),
]

/** Tables with text from which no person is erased, and why. */
export const tablesWithoutPeople: ReadonlyMap<string, string> = new Map(
  serverParts.flatMap(({ withoutPeople = {} }) =>
    Object.entries(withoutPeople).flatMap(([reason, tables]) => tables.map((table) => [table, reason] as const)),
  ),
)

export const backupPlan: BackupPlan = {
  derivedTables: ['heartbeat', 'idempotency_keys', ...serverParts.flatMap(({ derivedTables = [] }) => derivedTables)],
  encryptedColumns: [
    { table: 'idempotency_keys', column: 'answer', id: "user_id || ':' || key" },
    ...serverParts.flatMap(({ encryptedColumns = [] }) => encryptedColumns),
  ],
  uploadKeys: 'select key from files order by key',
  // A backup has no jobs: what one was to finish would wait forever.
  afterRows: serverParts.flatMap(({ afterRestore = [] }) => afterRestore),
  inUse: {
    marker: 'network_sites', // no other program has this one
    rows: {
      users: "username <> 'admin'",
      clients: 'true',
      campaigns: 'true',
      leads: 'true',
      network_sites: 'true',
      redirect_domains: 'true',
      connections: "source <> 'environment'",
      imports: 'true',
      moves: 'true',
    },
  },
}

function mergeParts<Value>(read: (part: ServerPart) => Readonly<Record<string, Value>> | undefined) {
  return Object.fromEntries(serverParts.flatMap((part) => Object.entries(read(part) ?? {})))
}

function requireImports(): DeclaredParts['imports'] {
  const declared: Readonly<Record<string, ImportDefinition<unknown>>> = {
    ...mergeParts(({ imports }) => imports),
    ...staffImports,
  }
  const missing = importKinds.filter((kind) => !declared[kind])
  if (missing.length > 0) throw new Error(`No part declares the import of ${missing.join(', ')}`)
  return Object.fromEntries(
    importKinds.map((kind) => [kind, { ...declared[kind], references: importedRowReferences[kind] }]),
  ) as DeclaredParts['imports'] // checked above
}
