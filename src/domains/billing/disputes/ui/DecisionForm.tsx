import { Button, Checkbox, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { BodyInput } from '#contract/endpoint.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { ApiError, getFieldErrors } from '#ui/data/api.ts'
import { usePerson } from '#ui/data/person.ts'
import { useAction } from '#ui/data/useAction.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { useIsOpen } from '#ui/layout/useIsOpen.ts'
import { type Dispute, disputesContract } from '../contract.ts'

type Decision = Omit<BodyInput<typeof disputesContract.decide>, 'answer'>

/** Answers not sent yet, by person and dispute, while another dispute or page is open. In the memory of this page only. */
const drafts = new Map<string, string>()

/** The answer to the client, and what is decided: one button each. */
export function DecisionForm({ dispute }: { dispute: Dispute }) {
  const draftKey = `${usePerson().id} ${dispute.id}`
  const [answer, setAnswer] = useState(() => drafts.get(draftKey) ?? '')
  const [moves, setMoves] = useState(false)
  const [target, setTarget] = useState<number | null>(null)
  const [notify, setNotify] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const isOpen = useIsOpen()
  const campaigns = useCampaignChoices({ enabled: moves })
  const { run, running } = useAction(disputesContract.decide, {
    onFailure: (failed) => {
      const isAtField = failed instanceof ApiError && Object.keys(failed.errors).length > 0
      if (isAtField && isOpen()) setErrors(getFieldErrors(failed))
      else toastError(failed)
    },
  })
  async function decide(decision: Decision) {
    if (answer.trim() === '') {
      setErrors({ answer: 'Please write an answer for the client' })
      return
    }
    setErrors({})
    const outcome = await run({ params: { id: dispute.id }, body: { ...decision, answer } })
    if (outcome.done) drafts.delete(draftKey)
  }
  return (
    <div className={arrange.stack}>
      <Textarea
        label="Answer to the client"
        rows={3}
        value={answer}
        error={errors.answer}
        onChange={(event) => {
          drafts.set(draftKey, event.currentTarget.value)
          setAnswer(event.currentTarget.value)
        }}
      />
      <div className={arrange.buttons}>
        <Button loading={running} onClick={() => void decide({ accept: true })}>
          Accept and credit
        </Button>
        <Button variant="default" loading={running} onClick={() => void decide({ accept: false })}>
          Reject, keep billed
        </Button>
        <Button variant="default" aria-expanded={moves} onClick={() => setMoves(!moves)}>
          Belongs to another client…
        </Button>
      </div>
      {moves && (
        <div className={arrange.stack}>
          <Select
            label="Campaign of the other client"
            searchable
            data={campaigns}
            value={target}
            error={errors.move_to}
            onChange={setTarget}
          />
          <Checkbox
            label="Email the lead to that client"
            checked={notify}
            error={errors.notify}
            onChange={(event) => setNotify(event.currentTarget.checked)}
          />
          <div className={arrange.buttons}>
            <Button
              disabled={target === null}
              loading={running}
              onClick={() => target !== null && void decide({ move_to: target, notify: notify ? 1 : 0 })}
            >
              Accept and move the lead
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
