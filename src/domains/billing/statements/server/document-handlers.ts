import { and, eq, isNull, sql } from 'drizzle-orm'
import { implementContract } from '#domains/app-context.ts'
import { serveDocument } from '#domains/documents/public.ts'
import { parseStatementId, type StatementDocument, statementDocumentContract } from '../contract.ts'
import { statementMessages } from '../labels.ts'
import { statementsTable } from '../schema.ts'
import { readClientDocument } from './document.ts'
import { readStatement } from './queries.ts'
import { findStatementByKey } from './statement-keys.ts'
import { describeStatementPdf } from './statement-pdf.ts'

/** Only the key counts: a session adds nothing. */
export const statementDocumentHandlers = implementContract(
  statementDocumentContract,
  serveDocument<{ key: string }, number, StatementDocument>({
    notFound: statementMessages.notFound,
    find: ({ db }, { key }) => findStatementByKey(db, key),

    read: async ({ db, settings }, id) => {
      const statement = await readStatement(db, settings.AGENCY_TIMEZONE, id)
      return statement && (await readClientDocument(db, settings, statement))
    },

    noteOpened: async ({ db }, id) => {
      const { campaignId, from } = parseStatementId(id)
      await db
        .update(statementsTable)
        .set({ opened_at: sql`now()` })
        .where(
          and(
            eq(statementsTable.campaign_id, campaignId),
            eq(statementsTable.from_day, from),
            isNull(statementsTable.opened_at),
          ),
        )
    },

    describe: describeStatementPdf,
    nameFile: ({ number }) => `statement-${number}.pdf`,
  }),
)
