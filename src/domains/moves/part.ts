import { describeMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { moveItemsTable, movesTable } from './schema.ts'
import { movesHandlers } from './server/handlers.ts'
import { createMovesJobs } from './server/jobs.ts'
import { describeRunningMove } from './server/queries.ts'

export const movesPart: ServerPart = {
  handlers: movesHandlers,
  jobs: ({ moves }) => createMovesJobs(moves),
  personalData: [
    describeMentions('Things to move', moveItemsTable, {
      columns: ['label', 'payload', 'to_label', 'reason', 'kept'],
      kept: ['key', 'old_id', 'options', 'replaced', 'kind', 'becomes', 'to_kind', 'to_key', 'by', 'choice', 'state'],
    }),
    describeMentions('Moves', movesTable, {
      columns: ['problem'],
      kept: ['state', 'sources', 'lacks', 'counted', 'months', 'differences'],
    }),
  ],
  connectionUses: [describeRunningMove],
  withoutPeople: { 'Ids of rows in two systems': ['moved_ids'] },
}
