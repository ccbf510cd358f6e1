import { toastLastAct } from '#ui/feedback/toast.tsx'

export type UndoStep = {
  /** What was done, as its toast says it. */
  says: string
  /** Takes it back. */
  undo: () => void
  /** Where it was done, for those who want to see it again. */
  leadId?: number
}

export type UndoStack = {
  /** Notes what was done. What it returns forgets it: it failed. */
  push: (step: UndoStep) => () => void
  /** Says what was done, with Undo, if it is still there to be taken back. */
  say: (step: UndoStep) => void
  /** Takes back what was done last; returns it, or undefined where nothing is left. */
  undo: () => UndoStep | undefined
}

const maxSteps = 20

/** What one has done on this screen, the latest first to be taken back. */
export function createUndoStack(): UndoStack {
  const steps: UndoStep[] = []
  const undo = () => {
    const step = steps.pop()
    if (!step) return undefined
    step.undo()
    toastLastAct(`Taken back: ${step.says}`)
    return step
  }
  return {
    push: (step) => {
      steps.push(step)
      if (steps.length > maxSteps) steps.shift()
      return () => {
        const place = steps.indexOf(step)
        if (place >= 0) steps.splice(place, 1)
      }
    },
    say: (step) => {
      if (steps.includes(step)) toastLastAct(step.says, undo)
    },
    undo,
  }
}
