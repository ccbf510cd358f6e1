import { useMemo } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { hasSpamTag } from '#domains/leads/labels.ts'
import { useEditLead, useUndoStack } from '#domains/leads/list/ui/LeadEditing.tsx'
import type { EditLead, PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { leadSpamContract } from '#domains/leads/spam/contract.ts'
import { useAction } from '#ui/data/useAction.ts'
import type { UndoStack, UndoStep } from './undo-stack.ts'

/**
 * Marks leads as spam and undoes it. For people who read tags this is an optimistic edit of the tags; for others, and when the
 * sender is blocked as well, it waits for the response.
 */
export function useSpamActions(patch: PatchLead) {
  const edit = useEditLead()
  const stack = useUndoStack()
  const { run: runMark } = useAction(leadSpamContract.mark, { quiet: true })
  const { run: runUnmark } = useAction(leadSpamContract.unmark, { quiet: true })
  return useMemo(
    () => buildSpamActions({ edit, stack, patch, runMark, runUnmark }),
    [edit, stack, patch, runMark, runUnmark],
  )
}

type SpamRun<E extends Endpoint> = ReturnType<typeof useAction<E>>['run']
type SpamActionOptions = {
  edit: EditLead
  stack: UndoStack
  patch: PatchLead
  runMark: SpamRun<typeof leadSpamContract.mark>
  runUnmark: SpamRun<typeof leadSpamContract.unmark>
}

function buildSpamActions({ edit, stack, patch, runMark, runUnmark }: SpamActionOptions) {
  async function unmark(lead: Lead) {
    if (hasSpamTag(lead))
      return edit(
        lead,
        'tags',
        lead.tags?.filter(({ name }) => name !== 'Spam'),
      )
    const outcome = await runUnmark({ params: { id: lead.id } })
    if (outcome.done) patch(lead.id, outcome.answer)
  }
  async function mark(lead: Lead, spammer = false) {
    if (lead.tags && !spammer) return edit(lead, 'tags', [...lead.tags, { name: 'Spam' }])
    const params = { id: lead.id }
    const outcome = await runMark({ params, body: { spammer } })
    if (!outcome.done) return
    patch(lead.id, outcome.answer)
    const step: UndoStep = {
      message: spammer ? 'Spam. Sender blocked.' : 'Marked as spam',
      undo: async (done) => {
        const undone = await runUnmark({ params })
        if (!undone.done) return null
        patch(lead.id, undone.answer)
        return done
      },
      leadId: lead.id,
    }
    stack.push(step)
    stack.say(step)
  }
  return { mark, unmark }
}
