import type { ServerPart } from '#domains/server-part.ts'
import { leadBatchHandlers } from './batch/server/handlers.ts'
import { leadBatchJobs } from './batch/server/jobs.ts'
import { callRailJobs } from './callrail/server/jobs.ts'
import { describeHistory } from './callrail/server/read-history.ts'
import { leadCleaningJobs } from './cleaning/server/jobs.ts'
import { customSourcesHandlers } from './custom-sources/server/handlers.ts'
import { leadDetailHandlers } from './detail/server/handlers.ts'
import { leadExportHandlers } from './export/server/handlers.ts'
import { leadColumns, queueHiddenColumns, startHiddenColumns } from './fields.ts'
import { leadFormHandlers } from './form/server/handlers.ts'
import { leadHistoryHandlers } from './history/server/handlers.ts'
import { leadImporter } from './import/server/import-rows.ts'
import { intakeGauges } from './intake/server/gauges.ts'
import { intakeHandlers } from './intake/server/handlers.ts'
import { intakeJobs } from './intake/server/jobs.ts'
import { startIntakeWorker } from './intake/server/worker.ts'
import { leadsHandlers } from './list/server/handlers.ts'
import { leadsViewedTable } from './list/server/viewed-table.ts'
import { liveChannels } from './live-channels.ts'
import { mailGauges } from './mail/server/gauges.ts'
import { leadMailsHandlers } from './mail/server/handlers.ts'
import { mailJobs } from './mail/server/jobs.ts'
import { forgetTestLead, testLeadHandlers } from './mail/server/test-lead.ts'
import { handOverLeads } from './model/client-moves.ts'
import { leadsPersonalData } from './personal-data/server/personal-data.ts'
import { leadQueues } from './queues.ts'
import { ratingHandlers } from './rating/server/handlers.ts'
import { explainedLeadFields, leadRows } from './readers/server/explained-leads.ts'
import { leadReadersHandlers } from './readers/server/handlers.ts'
import { createRecordingsHandlers } from './recordings/server/handlers.ts'
import { relatedLeadsHandlers } from './related/server/handlers.ts'
import { createLeadSourcesHandlers } from './sources/server/handlers.ts'
import { spamHandlers } from './spam/server/handlers.ts'
import { leadSpamHandlers } from './spam/server/mark-spam.ts'
import { leadSumsJobs } from './sums/server/jobs.ts'

export const leadsPart: ServerPart = {
  handlers: ({ readSilentSources, readOldLeadIds }) => [
    ...leadsHandlers,
    ...relatedLeadsHandlers,
    ...leadFormHandlers,
    ...leadDetailHandlers,
    ...leadReadersHandlers,
    ...leadHistoryHandlers,
    ...leadBatchHandlers,
    ...createLeadSourcesHandlers(readSilentSources),
    ...customSourcesHandlers,
    ...leadExportHandlers,
    ...createRecordingsHandlers(readOldLeadIds),
    ...spamHandlers,
    ...leadSpamHandlers,
    ...intakeHandlers,
    ...leadMailsHandlers,
    ...testLeadHandlers,
    ...ratingHandlers,
  ],
  jobs: [...intakeJobs, ...leadBatchJobs, ...leadCleaningJobs, ...leadSumsJobs, ...callRailJobs, ...mailJobs],
  workers: [startIntakeWorker],
  channels: Object.values(liveChannels),
  gauges: [...intakeGauges, ...mailGauges],
  tables: ['leads', 'lead-sources'],
  hideableColumns: {
    'leads.list': { columns: leadColumns, startHidden: startHiddenColumns },
    ...Object.fromEntries(
      leadQueues.map((queue) => [`leads.${queue}`, { columns: leadColumns, startHidden: queueHiddenColumns }]),
    ),
  },
  savedViews: { leads: leadsViewedTable },
  scopedRows: [leadRows],
  explainedFields: [explainedLeadFields],
  imports: { leads: leadImporter },
  handOverCampaign: [handOverLeads, forgetTestLead],
  connectionUses: [describeHistory],
  personalData: leadsPersonalData,
  withoutPeople: {
    'How leads come in: names, keys and field mappings': [
      'custom_sources',
      'callrail_accounts',
      'callrail_companies',
      'callrail_histories',
      'callrail_reconciliation',
    ],
    'Hashed keys of emails, and what the browsers of clients sent with a rating': ['rating_keys', 'rating_saves'],
    'Requests to CallRail': ['callrail_requests'],
    'A time zone': ['lead_sums_zone'],
    'Names of files': ['replayed_journals'],
    'Usernames of the staff of another system': ['lead_earlier_changers'],
  },
  derivedTables: ['lead_sums', 'lead_changes', 'lead_sums_zone'],
  encryptedColumns: [{ table: 'custom_sources', column: 'key', id: 'id' }],
  // It may have gone out after the backup was made, so nothing is resent automatically.
  afterRestore: [
    {
      table: 'mails',
      sql: `
        update mails set state = 'uncertain', error = 'Restored from a backup; it may have been sent since'
        where state in ('queued', 'handing')`,
    },
  ],
  listRules: {
    lead: 'leads of their campaigns; hidden ones for admins only',
    'custom-source': 'lead sources of the client sites of their campaigns',
  },
}
