import { ScrollArea } from '@mantine/core'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import { textCell } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { parseStatementId, statementsContract } from '../contract.ts'
import { lineKindTitles, statementStateTitles } from '../labels.ts'
import classes from './StatementDialog.module.css'

type ReadStatement = ResponseOf<typeof statementsContract.get>

/** A statement with its lines. */
export default function StatementDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useApi(statementsContract.get, { params: { id } }, { quiet: true })
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={data ? `Statement of ${data.campaign.name}` : 'Statement'}
      size="xl"
      scrollAreaComponent={ScrollArea.Autosize}
    >
      {data ? (
        <StatementLines statement={data} />
      ) : error ? (
        <QueryError what="The statement" error={error} retry={refetch} />
      ) : (
        <div role="status" aria-label="Loading" className={classes.wait} />
      )}
    </ModalDialog>
  )
}

function StatementLines({ statement }: { statement: ReadStatement }) {
  const { from, to, state, total, lines, leads } = statement
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  return (
    <>
      <p className={text.intro}>
        {formatDay(from)} – {formatDay(to)} · {statementStateTitles[state]}
      </p>
      <PlainTable
        className={classes.lines}
        columns={[
          { title: 'Line', cell: ({ kind }) => lineKindTitles[kind] },
          { title: 'Lead', cell: ({ lead_id }) => <LeadOfLine id={lead_id} lead={byId.get(lead_id ?? 0)} /> },
          {
            title: 'Because',
            cell: ({ because, refers_to }) => (
              <>
                {because}
                {refers_to !== null && <span>Statement of {formatDay(parseStatementId(refers_to).from)}</span>}
              </>
            ),
          },
          { title: 'Amount', align: 'end', cell: ({ amount }) => formatMoney(amount) },
        ]}
        rows={lines}
        rowKey={({ lead_id, refers_to }) => `${lead_id} ${refers_to}`}
        none="No lines yet"
        foot={
          <tr>
            <th scope="row" colSpan={3}>
              Total
            </th>
            <td data-align="end">{formatMoney(total)}</td>
          </tr>
        }
      />
    </>
  )
}

function LeadOfLine({ id, lead }: { id: number | null; lead: ReadStatement['leads'][number] | undefined }) {
  if (!lead) return textCell(id)
  return (
    <>
      <RecordLink kind="lead" id={id}>
        {textCell(lead.name ?? lead.type)}
      </RecordLink>
      <span>{formatDay(lead.date)}</span>
    </>
  )
}
