import { Button, ScrollArea } from '@mantine/core'
import { formatLongDay } from '#contract/days.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { copyText } from '#ui/cells/clipboard.ts'
import { formatDay, getToday } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import { statementsContract } from '../contract.ts'
import { isToSend, statementMessages } from '../labels.ts'
import { SendStatementDialog } from './SendStatementDialog.tsx'
import classes from './StatementDialog.module.css'
import { StatementView } from './StatementView.tsx'

type ReadStatement = ResponseOf<typeof statementsContract.get>

/** A statement with what the agency can do with it. Of what the client reads, it also names the hidden leads. */
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
        <>
          <StatementHistory statement={data} />
          <StatementView document={data.document} linkLead={linkLead(data)}>
            <StatementActions statement={data} />
          </StatementView>
        </>
      ) : error ? (
        <QueryError what="The statement" error={error} retry={refetch} />
      ) : (
        <div role="status" aria-label="Loading" className={classes.wait} />
      )}
    </ModalDialog>
  )
}

/** Leads that this person may see lead to their pages. */
const linkLead = ({ leads }: ReadStatement) => {
  const visible = new Set(leads.map(({ id }) => id))
  return (id: number, name: string) => (
    <RecordLink kind="lead" id={visible.has(id) ? id : null}>
      {name}
    </RecordLink>
  )
}

function StatementHistory({ statement }: { statement: ReadStatement }) {
  const { number, client_removed, mailed_at, mailed_to, undelivered, opened_at, paid_on, paid_note } = statement
  const reached = mailed_to.filter((address) => undelivered.every(({ email }) => email !== address))
  const facts = [
    mailed_at && reached.length > 0 && `Emailed to ${reached.join(', ')}, ${formatInstant(mailed_at)}.`,
    ...undelivered.map(describeUndelivered),
    opened_at && `Opened ${formatInstant(opened_at)}.`,
    paid_on && describePayment(paid_on, paid_note),
    number && client_removed && `${statementMessages.removedClient}.`,
  ].filter(Boolean)
  return facts.length === 0 ? null : <p className={text.intro}>{facts.join(' ')}</p>
}

function describeUndelivered({ email, waits, because }: ReadStatement['undelivered'][number]) {
  if (because === null) return `We don’t know whether the email to ${email} arrived.`
  return `${waits ? `The email to ${email} waits` : `Not delivered to ${email}`}: ${because.replace(/\.$/, '')}.`
}

const describePayment = (on: string, note: string | null) => `Paid ${formatLongDay(on)}${note ? `: ${note}` : ''}.`

function StatementActions({ statement }: { statement: ReadStatement }) {
  const { id, state, url, client_removed, mailed_at, paid_on } = statement
  const sending = useDialog()
  const paying = useDialog()
  const params = { id }
  if (state === 'open' || (state === 'ended' && !isToSend(statement))) return null
  return (
    <>
      {state === 'ended' ? (
        <Button onClick={() => sending.open(undefined)}>Send…</Button>
      ) : (
        <>
          {paid_on ? (
            <NotPaidButton statement={statement} paidOn={paid_on} />
          ) : (
            <Button onClick={() => paying.open(undefined)}>Mark as paid</Button>
          )}
          {url && (
            <>
              <Button variant="default" onClick={() => sending.open(undefined)}>
                {mailed_at ? 'Email again…' : 'Email…'}
              </Button>
              <Button
                variant="default"
                component="a"
                href={url.replace('/statement/', '/api/statement/').concat('.pdf')}
              >
                PDF
              </Button>
              <Button variant="default" onClick={() => void copyText(url)}>
                Copy link
              </Button>
              <ActionButton call={statementsContract.closeKey} input={{ params }} label="Close link" />
            </>
          )}
          {!client_removed && <ActionButton call={statementsContract.newKey} input={{ params }} label="New link" />}
        </>
      )}
      {sending.opened && <SendStatementDialog id={id} onClose={sending.close} />}
      <FormDialog
        title="Mark as paid"
        call={statementsContract.paid}
        params={params}
        start={{ on: getToday(appConfig.timezone), note: null, replaces: paid_on }}
        fields={({ dateControl, textControl }) => ({
          on: dateControl('Paid on'),
          note: textControl('Note'),
          replaces: () => null, // sent as it was read, so that no payment is replaced unseen
        })}
        conflict={{
          read: (now) => ({ on: now.paid_on, note: now.paid_note, replaces: now.paid_on }),
          shown: (name, value) => (value === null ? null : name === 'on' ? formatDay(String(value)) : String(value)),
        }}
        opened={paying.opened}
        onClose={paying.close}
      />
    </>
  )
}

function NotPaidButton({ statement, paidOn }: { statement: ReadStatement; paidOn: string }) {
  const { id, paid_note } = statement
  const { run, running } = useAction(statementsContract.paid)
  async function takeBack() {
    const question = 'Are you sure this statement is not paid? Its payment is removed.'
    const details = [describePayment(paidOn, paid_note)]
    if (!(await confirmAction(question, { label: 'Not paid', danger: true, details }))) return
    await run({ params: { id }, body: { on: null, replaces: paidOn } })
  }
  return (
    <Button variant="default" loading={running} onClick={() => void takeBack()}>
      Not paid
    </Button>
  )
}
