import { sendCsv } from '#core/csv/csv-stream.ts'
import { implement } from '#core/http/handle.ts'
import { outgoingLinks as contract, type OutgoingLink } from '../contract.ts'
import { linksPage, linksQuery } from './queries.ts'

export const outgoingLinksCalls = implement(contract, {
  list: ({ db, me, query }) => linksPage(db, me, query),

  csv: async (call) => {
    const rows = linksQuery(call.db, call.me, call.body)
    await sendCsv<OutgoingLink>(call, { name: contract.csv.file, of: 'outgoing links', rows, columns })
    return undefined
  },
})

const day = (instant: string | null) => instant?.slice(0, 10)

const columns: { title: string; cell: (link: OutgoingLink) => string | null | undefined }[] = [
  { title: 'URL', cell: (link) => link.url },
  { title: 'Anchor', cell: (link) => link.anchor },
  { title: 'Network Site', cell: (link) => link.network_site },
  { title: 'Rel', cell: (link) => link.rel },
  { title: 'Content Type', cell: (link) => link.type },
  { title: 'Page', cell: (link) => link.page },
  { title: 'First Seen', cell: (link) => day(link.first_seen_at) },
  { title: 'Last Seen', cell: (link) => day(link.last_seen_at) },
  { title: 'Lost', cell: (link) => day(link.lost_at) },
]
