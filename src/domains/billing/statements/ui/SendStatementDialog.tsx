import { Button, Textarea } from '@mantine/core'
import { type RefObject, useRef, useState } from 'react'
import { formatDaySpan, formatLongDay } from '#contract/days.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import { splitAddresses } from '#contract/read-email.ts'
import { getInstantDay } from '#ui/cells/timestamps.ts'
import { ApiError } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { useUnsavedCount, useUnsavedDialog } from '#ui/form/useUnsavedGuard.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { PublicLoading } from '#ui/layout/PublicPage.tsx'
import { useIsOpen } from '#ui/layout/useIsOpen.ts'
import { statementsContract } from '../contract.ts'

type DialogProps = { id: number; onClose: () => void }

/** Asks before a statement is sent or emailed again: whose it is, how much, and who gets the email. */
export function SendStatementDialog({ id, onClose }: DialogProps) {
  const { data, error, isFetching, refetch } = useApi(statementsContract.get, { params: { id } }, { quiet: true })
  // The addresses are those of the first read: the cache may still have the ones before a correction.
  const [isRead, setRead] = useState(false)
  if (!isRead && data && !error && !isFetching) setRead(true)
  const unsaved = useRef(0)
  const close = useUnsavedDialog({ isUnsaved: () => unsaved.current > 0, onClose })
  const isSent = data?.number != null
  return (
    <ModalDialog
      opened
      onClose={close}
      title={isSent ? `Email this statement${data.mailed_at ? ' again' : ''}` : 'Send this statement'}
      size="md"
    >
      {data && isRead ? (
        <SendForm statement={data} isSent={isSent} unsaved={unsaved} onClose={onClose} />
      ) : error ? (
        <QueryError what="The statement" error={error} retry={refetch} />
      ) : (
        <PublicLoading />
      )}
    </ModalDialog>
  )
}

type SendFormProps = {
  statement: ResponseOf<typeof statementsContract.get>
  isSent: boolean
  unsaved: RefObject<number>
  onClose: () => void
}

function SendForm({ statement, isSent, unsaved, onClose }: SendFormProps) {
  const { id, client, client_removed, campaign, total, recipients, mailed_at, expires_at } = statement
  const [lines, setLines] = useState(recipients.join('\n'))
  const [problem, setProblem] = useState<string>()
  const isOpen = useIsOpen()
  const onFailure = (failed: unknown) => {
    const issues = failed instanceof ApiError ? Object.entries(failed.errors ?? {}) : []
    const own = issues.find(([name]) => name === 'to' || name.startsWith('to.'))
    if (own && isOpen()) setProblem(own[1][0])
    else toastError(failed)
  }
  const send = useAction(statementsContract.send, { onFailure })
  const mail = useAction(statementsContract.mail, { onFailure })
  const running = send.running || mail.running
  const [first] = useState(lines)
  useUnsavedCount(unsaved, lines !== first && !running) // what is on the way is not lost
  async function act(withMail: boolean) {
    setProblem(undefined)
    const to = splitAddresses(lines)
    const params = { id }
    const outcome = isSent
      ? await mail.run({ params, body: { to } })
      : await send.run({ params, body: withMail ? { mail: 1, to } : { mail: 0 } })
    if (outcome.done && isOpen()) onClose()
  }
  return (
    <div className={arrange.stack}>
      <p>
        <b>{client.name}</b>, {campaign.name}, {formatDaySpan(statement)}: <b>{formatMoney(total)}</b>.
        {!isSent && ' The statement gets a number, and its lines cannot be changed afterwards.'}
      </p>
      {!client_removed && (
        <Textarea
          label="Email to"
          description={`One per line, with the PDF and a link that is open ${
            isSent && expires_at ? `until ${formatLongDay(getInstantDay(expires_at))}` : 'for 400 days'
          }.`}
          rows={3}
          value={lines}
          error={problem}
          onChange={(event) => setLines(event.currentTarget.value)}
        />
      )}
      <div className={arrange.buttons}>
        {!client_removed && (
          <Button loading={running} onClick={() => void act(true)}>
            {!isSent ? 'Send and email' : mailed_at ? 'Email again' : 'Email'}
          </Button>
        )}
        {!isSent && (
          <Button variant="default" loading={running} onClick={() => void act(false)}>
            Send without email
          </Button>
        )}
      </div>
    </div>
  )
}
