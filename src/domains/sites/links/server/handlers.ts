import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { implementContract } from '#domains/app-context.ts'
import { type OutgoingLink, outgoingLinksContract } from '../contract.ts'
import { outgoingLinkFields } from '../fields.ts'
import { buildOutgoingLinksQuery, readOutgoingLinksPage } from './queries.ts'

export const outgoingLinksHandlers = implementContract(outgoingLinksContract, {
  list: ({ db, me, query }) => readOutgoingLinksPage(db, me, query),

  csv: (call) =>
    sendCsv<OutgoingLink>(call, {
      name: outgoingLinksContract.csv.file,
      of: 'outgoing links',
      rows: buildOutgoingLinksQuery(call.db, call.me, call.body),
      columns: buildCsvColumns(outgoingLinkFields, {}),
    }),
})
