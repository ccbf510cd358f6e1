import { describeMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { moveItemsTable, movesTable } from './schema.ts'
import { eraseMoveItems, personalItemColumns } from './server/erase-items.ts'
import { movesHandlers } from './server/handlers.ts'
import { createMovesJobs } from './server/jobs.ts'
import { describeRunningMove } from './server/queries.ts'

export const movesPart: ServerPart = {
  handlers: movesHandlers,
  jobs: ({ moves }) => createMovesJobs(moves),
  personalData: [
    {
      label: 'Things to move',
      table: moveItemsTable,
      columns: personalItemColumns,
      kept: ['key', 'old_id', 'options', 'replaced', 'kind', 'becomes', 'to_kind', 'to_key', 'by', 'choice', 'state'],
      mentioning: personalItemColumns,
      erase: eraseMoveItems,
    },
    describeMentions('Moves', movesTable, {
      columns: ['problem'],
      kept: ['state', 'sources', 'lacks', 'counted', 'months', 'differences'],
    }),
  ],
  connectionUses: [describeRunningMove],
  withoutPeople: { 'Ids of rows in two systems': ['moved_ids'] },
}
