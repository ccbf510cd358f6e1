import type { LeadBatch } from '#domains/leads/batch/contract.ts'
import { formatLeadCount } from '#domains/leads/batch/ui/batch-words.ts'
import { followBatch, isBatchOver, undoBatch } from '#domains/leads/batch/ui/follow-batch.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/feedback/toast.tsx'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import { type SpamRule, spamContract } from '../contract.ts'
import { getRuleName } from './RuleTable.tsx'

const buildUndoControls = ({ dateControl, toggleControl }: ControlSet) => ({
  from: dateControl('From'),
  to: dateControl('To'),
  mail: toggleControl('Email the clients of these leads'),
})

type UndoRuleProps = { dialog: ReturnType<typeof useDialog<SpamRule>> }

/** Asks which days of a rule to undo, and follows the batch that does it. */
export function UndoRule({ dialog }: UndoRuleProps) {
  const rule = dialog.subject

  const offer = (id: number, sentence: string) => toastSuccess(sentence, () => void takeBack(id, sentence))
  async function takeBack(id: number, sentence: string) {
    const said = await undoBatch(id, 'Undone')
    if (said) toastInfo(said)
    else offer(id, sentence)
    refresh()
  }
  async function tell(begun: LeadBatch) {
    if (!isBatchOver(begun)) toastInfo(`${formatLeadCount(begun.total)} are being restored`)
    try {
      const { id, state, changed, skipped } = await followBatch(begun)
      const stay = skipped.length === 1 ? 'stays hidden or was changed' : 'stay hidden or were changed'
      const kept = skipped.length > 0 ? `; ${formatLeadCount(skipped.length)} ${stay}` : ''
      const sentence = `${formatLeadCount(changed)} brought back${kept}`
      if (changed > 0) offer(id, sentence)
      else if (state !== 'failed') toastInfo(sentence)
    } catch (problem) {
      toastError(problem)
    }
    refresh()
  }
  return (
    rule && (
      <FormDialog
        key={rule.id}
        title={`Undo “${getRuleName(rule)}”`}
        call={spamContract.undoRule}
        params={{ id: rule.id }}
        start={{ from: null, to: null, mail: false }}
        fields={buildUndoControls}
        layout={({ from, to, mail }) => (
          <>
            <p className={text.small}>
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

const refresh = () => void refreshQueries(spamContract.rules.reads)
