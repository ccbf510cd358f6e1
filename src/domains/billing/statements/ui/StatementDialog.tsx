import { ScrollArea } from '@mantine/core'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatMoney, textCell } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
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
      <p className={classes.about}>
        {formatDay(from)} – {formatDay(to)} · {statementStateTitles[state]}
      </p>
      <table className={classes.lines}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Lead</th>
            <th scope="col">Because</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ kind, lead_id, because, refers_to, amount }) => {
            const lead = lead_id === null ? undefined : byId.get(lead_id)
            return (
              <tr key={`${lead_id} ${refers_to}`}>
                <td>{lineKindTitles[kind]}</td>
                <td>
                  {textCell(lead ? (lead.name ?? lead.type) : lead_id)}
                  {lead && <span>{formatDay(lead.date)}</span>}
                </td>
                <td>
                  {because}
                  {refers_to !== null && <span>Statement of {formatDay(parseStatementId(refers_to).from)}</span>}
                </td>
                <td>{formatMoney(amount)}</td>
              </tr>
            )
          })}
          {lines.length === 0 && (
            <tr>
              <td colSpan={4} className={classes.none}>
                No lines yet
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              Total
            </th>
            <td>{formatMoney(total)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  )
}
