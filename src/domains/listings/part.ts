import { and, eq, isNull } from 'drizzle-orm'
import { describeMentions } from '#core/erasure/personal-data.ts'
import { describeCampaignRows } from '#domains/access/public.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { gmbsJobs } from './checks/server/jobs.ts'
import { gmbsContract } from './gmbs/contract.ts'
import { gmbLogsTable, gmbsTable } from './gmbs/schema.ts'
import { gmbsHandlers } from './gmbs/server/handlers.ts'
import { gmbsImport } from './gmbs/server/import-rows.ts'
import { googleLocationsHandlers } from './google/server/handlers.ts'
import { googleLocationsJobs } from './google/server/jobs.ts'
import { campaignMapHandlers } from './map/server/handlers.ts'

export const listingsPart: ServerPart = {
  handlers: [...gmbsHandlers, ...googleLocationsHandlers, ...campaignMapHandlers],
  jobs: [...gmbsJobs, ...googleLocationsJobs],
  tables: ['campaign-gmbs', 'gmb-manager'],
  savedViews: { 'campaign-gmbs': gmbsContract.list },
  scopedRows: [
    describeCampaignRows(/^\/campaign-gmb\/:/, (db, id) =>
      db
        .select({ campaign_id: gmbsTable.campaign_id })
        .from(gmbsTable)
        .where(and(eq(gmbsTable.id, id), isNull(gmbsTable.deleted_at))),
    ),
  ],
  imports: { 'campaign-gmbs': gmbsImport },
  // A listing is of a client; its notes, and so their history, may mention a person.
  personalData: [
    describeMentions('Notes of listings', gmbsTable, {
      columns: ['notes'],
      kept: [
        'title',
        'address',
        'website',
        'phone',
        'email',
        'password',
        'recovery_email',
        'link',
        'cid',
        'review_link',
        'changed_fields',
        'seen',
        'seen_by',
        'standing',
        'check_problem',
      ],
      isVersioned: true,
    }),
    describeMentions('History of listings', gmbLogsTable, { columns: ['old', 'new'], kept: ['changed', 'username'] }),
  ],
  withoutPeople: {
    'The accounts that the agency links': ['google_accounts', 'google_link_states'],
    'Listings of clients': ['google_categories', 'google_edits', 'google_locations'],
  },
  encryptedColumns: [
    { table: 'campaign_gmbs', column: 'password', id: 'id' },
    { table: 'campaign_gmbs', column: 'recovery_email', id: 'id' },
    { table: 'google_accounts', column: 'refresh_token', id: 'id' },
  ],
  afterRestore: [
    {
      table: 'google_edits',
      sql: `
        update google_edits set state = 'failed', ended_at = now(), error = 'Restored from a backup; it may have been sent since'
        where state in ('waiting', 'sending')`,
    },
  ],
  listRules: { gmb: 'listings of their campaigns' },
}
