import { sendCsv } from '#core/csv/csv-stream.ts'
import { implementContract } from '#domains/app-context.ts'
import { type OutgoingLink, outgoingLinksContract } from '../contract.ts'
import { buildOutgoingLinksQuery, readOutgoingLinksPage } from './queries.ts'

export const outgoingLinksHandlers = implementContract(outgoingLinksContract, {
  list: ({ db, me, query }) => readOutgoingLinksPage(db, me, query),

  csv: (call) =>
    sendCsv<OutgoingLink>(call, {
      name: outgoingLinksContract.csv.file,
      of: 'outgoing links',
      rows: buildOutgoingLinksQuery(call.db, call.me, call.body),
      columns: outgoingLinkCsvColumns,
    }),
})

const toDayText = (instant: string | null) => instant?.slice(0, 10)

const outgoingLinkCsvColumns: { title: string; cell: (link: OutgoingLink) => string | null | undefined }[] = [
  { title: 'URL', cell: (link) => link.url },
  { title: 'Anchor', cell: (link) => link.anchor },
  { title: 'Network Site', cell: (link) => link.network_site },
  { title: 'Rel', cell: (link) => link.rel },
  { title: 'Content Type', cell: (link) => link.type },
  { title: 'Page', cell: (link) => link.page },
  { title: 'First Seen', cell: (link) => toDayText(link.first_seen_at) },
  { title: 'Last Seen', cell: (link) => toDayText(link.last_seen_at) },
  { title: 'Lost', cell: (link) => toDayText(link.lost_at) },
]
