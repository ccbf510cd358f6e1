import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { filesTable } from './files/schema.ts'

/** A dated note of a campaign or a team; a task if it has an assignee. The activity log lists items, the changelog lays them out by day. */
export const activityItemsTable = pgTable(
  'activity_items',
  {
    id: identityColumn(),
    campaign_id: integer().references(() => campaignsTable.id),
    team_id: integer().references(() => teamsTable.id),
    date: date({ mode: 'string' }).notNull(),
    note: text().notNull(),
    /** Who wrote it. */
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    /** The names of author and assignee who are not here, of an item that was moved from another system; `user_id` is who moved it. */
    author_name: text(),
    assignee_name: text(),
    is_task: boolean().notNull().default(false),
    /** Who does the task. */
    assignee_id: integer().references(() => usersTable.id),
    is_done: boolean().notNull().default(false),
    /** Reports show it to the client. */
    client_may_read: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    created_at: timestampNowColumn(),
    deleted_at: timestampColumn(),
  },
  (item) => [
    index('activity_items_date').on(item.date, item.id).where(sql`${item.deleted_at} is null`),
    index('activity_items_campaign').on(item.campaign_id, item.date).where(sql`${item.deleted_at} is null`),
    index('activity_items_team').on(item.team_id, item.date).where(sql`${item.deleted_at} is null`),
    index('activity_items_assignee').on(item.assignee_id, item.date).where(sql`${item.deleted_at} is null`),
    index('activity_items_open_tasks')
      .on(item.date)
      .where(sql`${item.is_task} and not ${item.is_done} and ${item.deleted_at} is null`),
    check('activity_items_of_one', sql`num_nonnulls(${item.campaign_id}, ${item.team_id}) = 1`),
    check(
      'activity_items_task',
      sql`case when ${item.is_task} then num_nonnulls(${item.assignee_id}, ${item.assignee_name}) > 0 else ${item.assignee_id} is null end`,
    ),
    check('activity_items_done', sql`${item.is_task} or not ${item.is_done}`),
  ],
)

/** Images of items. An image uploaded for several campaigns at once is attached to the item of each. */
export const activityItemFilesTable = pgTable(
  'activity_item_files',
  {
    item_id: integer()
      .notNull()
      .references(() => activityItemsTable.id),
    file_id: integer()
      .notNull()
      .references(() => filesTable.id),
    position: smallint().notNull(),
  },
  (link) => [primaryKey({ columns: [link.item_id, link.file_id] }), index('activity_item_files_file').on(link.file_id)],
)
