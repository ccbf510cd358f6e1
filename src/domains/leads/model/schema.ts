import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { answeringStatusSql, buildFacetTerms, missedTagsSql } from '../filters.ts'
import { type LeadTag, leadProviders, leadTypes, noCampaignId } from '../labels.ts'
import { queueSql } from './queue-sql.ts'

/** Why an automatic tag was set: the keyword, the spammer, the hours. */
export type TagCause = { tag: LeadTag; because: string }

/** What marking a lead as spam by hand did, so that exactly that can be undone. `tags` are those that it set; up to 0.1 only Spam. */
export type SpamMark = { tagged: boolean; tags?: LeadTag[]; hid: boolean; mails: number[]; spammers: number[] }

export const searchTextSql = sql`lead_search_text(lead_name, lead_email, lead_phone, phone_key, message, lead_location, company_name, notes, client_notes)`

/**
 * A phone call or a web form that belongs to a campaign.
 *
 * PostgreSQL derives three columns, so that they cannot disagree with the row: `answering_status`, `facets` (everything the
 * statistics count, packed into one integer so that a month is one narrow index-only scan; the layout is in filters.ts) and
 * `search_text` (what the search matches, folded as `foldText` does).
 */
export const leadsTable = pgTable(
  'leads',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    /**
     * The lead's campaign, or `noCampaignId` if the hook's site has none (only super admins see such leads). It is part of every
     * key, so that leads and their children can be sharded by it. So it is never null, has no foreign key, and is never updated:
     * a lead that moves to another campaign is transferred (store.ts).
     */
    campaign_id: integer().notNull().default(noCampaignId),
    clientsite_id: integer().references(() => clientSitesTable.id),
    lead_s: text({ enum: leadProviders }).notNull(),
    /** The provider's id; a form's is `{client site}-{entry}`, because entries are numbered per WordPress site. */
    lead_id: text().notNull(),
    /** The sender that `lead_id` belongs to, see provider-ids.ts. Empty for leads that people add or files import. */
    origin: text().notNull().default(''),
    occurred_at: timestampColumn().notNull(),
    lead_type: text({ enum: leadTypes }).notNull(),
    lead_name: text(),
    lead_location: text(),
    lead_email: text(),
    lead_phone: text(),
    /** The phone in E.164, or its bare digits if it is incomplete: what "same phone" compares. */
    phone_key: text(),
    email_key: text().generatedAlwaysAs((): SQL => sql`lower(lead_email)`),
    /** Another lead has the same phone, or the same email, in any campaign. Kept by duplicates.ts. */
    phone_shared: boolean().notNull().default(false),
    email_shared: boolean().notNull().default(false),
    message: text(),
    notes: text(),
    duration: integer(),
    answered: boolean(),
    voicemail: boolean().notNull().default(false),
    /** The provider's word for the call: answered, missed, abandoned, voicemail … */
    call_type: text(),
    /** The provider's URL; it never leaves the server. */
    recording_url: text(),
    tags: text().array().$type<LeadTag[]>().notNull().default([]),
    tag_causes: jsonb().$type<TagCause[]>().notNull().default([]),
    spam_mark: jsonb().$type<SpamMark>(),
    confirmed: boolean().notNull().default(false),
    hide: boolean().notNull().default(false),
    archived: boolean().notNull().default(false),
    first_call: boolean().notNull().default(false),
    client_progress: smallint(),
    company_name: text(),
    client_notes: text(),
    client_value: numeric({ precision: 12, scale: 2, mode: 'number' }),
    client_profit: numeric({ precision: 12, scale: 2, mode: 'number' }),
    rating: smallint(),
    /** Where the rating came from, see `ratingOrigins`. */
    rating_via: text({ enum: ['link', 'page', 'staff'] }),
    /**
     * A rating from a link that was opened so soon after the email that a mail scanner may have done it. It is shown instead of
     * `rating` but counts nowhere until the page is seen (then it becomes the rating), the lead is rated, or the burst is undone.
     */
    unconfirmed_rating: smallint(),
    last_url: text(),
    referrer: text(),
    source: text(),
    /** What was stated as the source, if a surer trace is of another platform. */
    source_stated: text(),
    keywords: text(),
    gclid: text(),
    gbraid: text(),
    wbraid: text(),
    msclkid: text(),
    fbclid: text(),
    tracking_phone_number: text(),
    tracking_source: text(),
    notify: boolean().notNull().default(true),
    version: integer().notNull().default(1),
    created_at: timestampNowColumn(),
    /** When its personal data was erased. Since then it takes none from its provider. */
    erased_at: timestampColumn(),

    answering_status: text().generatedAlwaysAs(
      (): SQL => sql.raw(answeringStatusSql((status) => (status ? `'${status}'` : 'null'), 8)),
    ),
    facets: integer().generatedAlwaysAs((): SQL => sql.raw(Object.values(buildFacetTerms()).join('\n        + '))),
    /** A trigger sets it; on Citus, which has none, it is generated (ops/citus.sql). Nothing else writes it. */
    search_text: text().generatedAlwaysAs((): SQL => searchTextSql),
  },
  (lead) => [
    primaryKey({ columns: [lead.id, lead.campaign_id] }),
    // Where leads are sharded, this only holds within a campaign; provider-ids.ts ensures it across campaigns.
    uniqueIndex('leads_provider').on(lead.lead_s, lead.lead_id, lead.origin),
    // Index-only check for a related lead that the reader may see.
    index('leads_related_phone')
      .on(lead.phone_key, lead.campaign_id, lead.hide, lead.id)
      .where(sql`phone_key is not null`),
    index('leads_related_email')
      .on(lead.email_key, lead.campaign_id, lead.hide, lead.id)
      .where(sql`email_key is not null`),
    // Index-only counts of verified and missed leads for chart and table. See counted.ts.
    index('leads_counted')
      .on(lead.campaign_id, lead.occurred_at, lead.facets)
      .where(sql`not archived and (confirmed or ${sql.raw(missedTagsSql())})`),
    // The queues of the list, with their counts under most filters.
    index('leads_review')
      .on(lead.occurred_at.desc().nullsFirst(), lead.id.desc().nullsFirst(), lead.campaign_id, lead.facets)
      .where(sql`not archived and ${sql.raw(queueSql('review'))}`),
    index('leads_missed')
      .on(lead.occurred_at.desc().nullsFirst(), lead.id.desc().nullsFirst(), lead.campaign_id, lead.facets)
      .where(sql`not archived and ${sql.raw(queueSql('missed'))}`),
    // The last lead of a client site through each provider.
    index('leads_site').on(lead.clientsite_id, lead.lead_s, lead.occurred_at),
    // The list, its pages and the statistics use `leads_list`, `leads_archive`, `leads_shared` and `leads_campaign`, which have
    // included columns, and `leads_search`, a trigram index by week. Migrations declare them, because Drizzle supports neither.
    check('leads_lead_type', sql`${lead.lead_type} in ('Form', 'Call')`),
    check('leads_lead_s', sql`${lead.lead_s} in ('Callrail', 'Formidable', 'Other')`),
    check('leads_progress', sql`${lead.client_progress} between 1 and 5`),
    check('leads_rating', sql`${lead.rating} between 1 and 5`),
  ],
)

/** Who had changed a lead in the system that it was moved from, the latest first; the audit log has who did since. */
export const earlierChangersTable = pgTable('lead_earlier_changers', {
  lead_id: integer().primaryKey(),
  usernames: text().array().notNull(),
})
