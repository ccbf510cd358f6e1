import { type LeadBatch, leadBatchContract } from '#domains/leads/batch/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/feedback/toast.tsx'
import { dateControl } from '#ui/form/DateField.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { toggleControl } from '#ui/form/fields.tsx'
import type { FormControls } from '#ui/form/form-dialog-props.ts'
import type { useDialog } from '#ui/layout/useDialog.ts'
import { type SpamRule, spamContract } from '../contract.ts'
import classes from './RuleList.module.css'
import { getRuleName } from './RuleList.tsx'

const undoControls: FormControls<typeof spamContract.undoRule> = {
  from: dateControl('From'),
  to: dateControl('To'),
  mail: toggleControl('Email the clients of these leads'),
}

type UndoRuleProps = { dialog: ReturnType<typeof useDialog<SpamRule>> }

/** Asks which days of a rule to undo, and follows the batch that does it. */
export function UndoRule({ dialog }: UndoRuleProps) {
  const back = useAction(leadBatchContract.undo, { quiet: true })
  const rule = dialog.subject

  async function tell(made: LeadBatch) {
    if (!isOver(made)) toastInfo(`${countLeads(made.total)} are being restored`)
    try {
      const batch = await waitForBatch(made)
      void refreshQueries([spamContract.rules])
      if (batch.state === 'failed') return toastError(new Error(batch.problem ?? 'Not all leads were restored'))
      const kept = batch.skipped.length > 0 ? `; ${countLeads(batch.skipped.length)} stay hidden or were changed` : ''
      const sentence = `${countLeads(batch.changed)} brought back${kept}`
      if (batch.changed === 0) toastInfo(sentence)
      else toastSuccess(sentence, () => void back.run({ params: { id: batch.id } }))
    } catch (problem) {
      toastError(problem)
    }
  }
  return (
    rule && (
      <FormDialog
        key={rule.id}
        title={`Undo “${getRuleName(rule)}”`}
        call={spamContract.undoRule}
        params={{ id: rule.id }}
        start={{ from: null, to: null, mail: false }}
        fields={undoControls}
        layout={({ from, to, mail }) => (
          <>
            <p className={classes.note}>
              Unhides and untags the leads that only this rule tagged: all of them, or those of some days.
            </p>
            {from}
            {to}
            {mail}
          </>
        )}
        saveLabel="Undo"
        opened={dialog.opened}
        onClose={dialog.close}
        onSaved={(batch) => void tell(batch)}
        size="sm"
      />
    )
  )
}

const countLeads = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'lead' : 'leads'}`
const isOver = ({ state }: LeadBatch) => state !== 'queued' && state !== 'running'
const askEvery = 1000

/** Polls until the batch is over. */
async function waitForBatch(batch: LeadBatch): Promise<LeadBatch> {
  let now = batch
  while (!isOver(now)) {
    await new Promise((resolve) => setTimeout(resolve, askEvery))
    now = await callApi(leadBatchContract.get, { params: { id: batch.id } })
  }
  return now
}
