import { Button, ScrollArea, Switch } from '@mantine/core'
import { useState } from 'react'
import { countOf } from '#contract/count-of.ts'
import { addDays, formatDaySpan, formatLongDay } from '#contract/days.ts'
import type { BodyInput, ResponseOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import { renderBadge, wholeCell } from '#ui/cells/cells.tsx'
import { EmailText } from '#ui/cells/EmailCell.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { PublicLoading } from '#ui/layout/PublicPage.tsx'
import { useIsOpen } from '#ui/layout/useIsOpen.ts'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { statementsContract } from '../contract.ts'

type SendBatchDialogProps = {
  /** Of a month; the same as of the list behind. */
  filters: Omit<BodyInput<typeof statementsContract.sendBatch>, 'mail'>
  month: string
  onClose: () => void
}
type BatchRow = ResponseOf<typeof statementsContract.batch>['statements'][number]

/** Shows what a batch would send, to whom, and what it would leave out, before anything is sent. */
export function SendBatchDialog({ filters, month, onClose }: SendBatchDialogProps) {
  const [withMail, setWithMail] = useState(true)
  const isOpen = useIsOpen()
  const query = { ...filters, ...(withMail && { mail: 1 as const }) }
  const { data, error, isPlaceholderData, refetch } = useApi(
    statementsContract.batch,
    { query },
    { quiet: true, keepPrevious: true },
  )
  const { run, running } = useAction(statementsContract.sendBatch, {
    success: ({ sent, refused }) =>
      `${countOf(sent.length, 'statement')} sent${refused.length > 0 ? `, ${refused.length} left out` : ''}`,
  })
  async function send() {
    const outcome = await run({ body: { ...filters, mail: withMail ? 1 : 0 } })
    if (outcome.done && isOpen()) onClose()
  }
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={`Send the statements of ${month}`}
      size="xl"
      scrollAreaComponent={ScrollArea.Autosize}
    >
      {error ? (
        <QueryError what="The batch" error={error} retry={refetch} />
      ) : !data ? (
        <PublicLoading />
      ) : (
        <div className={arrange.stack}>
          <p>
            <b>{countOf(data.statements.length, 'statement')}</b> for cycles that ended between{' '}
            {formatLongDay(filters.cycle_ends_from)} and {formatLongDay(addDays(filters.cycle_ends_before, -1))},{' '}
            <b>{formatMoney(data.total)}</b> in total. Their lines can’t be changed after they are sent.
          </p>
          <Switch
            label="Email each client their statement"
            checked={withMail}
            onChange={(event) => setWithMail(event.currentTarget.checked)}
          />
          <PlainTable
            aria-label="Statements to send"
            isStacked
            columns={[
              {
                title: 'Client',
                cell: ({ client, campaign, archived }: BatchRow) => (
                  <>
                    {client}
                    <br />
                    <span className={text.quiet}>{campaign}</span>
                    {archived === 1 && <> {renderBadge('neutral', 'Archived')}</>}
                  </>
                ),
              },
              { title: 'Cycle', cell: (row) => wholeCell(formatDaySpan(row)) },
              {
                title: 'Email to',
                cell: ({ recipients }) => (withMail ? <EmailText>{recipients.join(', ')}</EmailText> : 'No email'),
              },
              { title: 'Total', align: 'end', cell: ({ total }) => formatMoney(total) },
            ]}
            rows={data.statements}
            rowKey={({ id }) => id}
            none="There is nothing to send"
          />
          {data.refused.length > 0 && (
            <>
              <h3>Left out: {data.refused.length}</h3>
              <ul>
                {data.refused.map(({ id, client, campaign, reason }) => (
                  <li key={id}>
                    {client}, {campaign}: {reason}
                  </li>
                ))}
              </ul>
            </>
          )}
          <div className={arrange.buttons}>
            <Button
              loading={running}
              disabled={isPlaceholderData || data.statements.length === 0}
              onClick={() => void send()}
            >
              {withMail ? `Send and email ${data.statements.length}` : `Send ${data.statements.length} without email`}
            </Button>
          </div>
        </div>
      )}
    </ModalDialog>
  )
}
