import { toastInfo, toastLastAct } from '#ui/feedback/toast.tsx'

export type UndoStep = {
  /** What was done, in the words of the toast. */
  message: string
  /**
   * Is given the words for when it is undone. What shows only with its answer returns what to say then; null after a failure, which it
   * shows.
   */
  undo: (done: string) => void | Promise<string | null>
  /** The changed lead, to focus it after the undo. */
  leadId?: number
}

export type UndoStack = {
  /** Adds a step. Returns a function that removes it again if it failed. */
  push: (step: UndoStep) => () => void
  /** Shows a toast with Undo, if that would undo this step: it may be undone already, or saved after a later one. */
  say: (step: UndoStep) => void
  /** Undoes the last step and returns it; undefined if there is none. */
  undo: () => UndoStep | undefined
}

const maxSteps = 20

/** Creates the stack of the actions on this screen. */
export function createUndoStack(): UndoStack {
  const steps: UndoStep[] = []
  const failed = new WeakSet<UndoStep>()
  let acts = 0
  const say: typeof toastLastAct = (...told) => {
    acts += 1
    toastLastAct(...told)
  }
  const undo = () => {
    const step = steps.pop()
    if (!step) return undefined
    const place = steps.length
    const done = `Undone: ${step.message}`
    const answer = step.undo(done)
    say(answer ? `Undoing: ${step.message}` : done)
    const during = acts
    void answer?.then((said) => {
      // Once more: what fails for good would be in the way of the steps before it.
      const again = said === null && !failed.has(step)
      if (again) {
        failed.add(step)
        steps.splice(place, 0, step)
      }
      // The toast of what was done since has an Undo of its own.
      if (acts === during) say(said ?? step.message, again ? undo : undefined)
      else if (said !== null) toastInfo(said)
    })
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
      if (steps.at(-1) === step) say(step.message, undo)
    },
    undo,
  }
}
