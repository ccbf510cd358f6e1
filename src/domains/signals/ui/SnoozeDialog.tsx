import { useState } from 'react'
import { countOf } from '#contract/count-of.ts'
import { msPerDay } from '#contract/days.ts'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type Signal, signalsContract } from '../contract.ts'
import { maxMuteDays } from '../labels.ts'

const snoozeDays = [1, 2, 3, 7, 14, 30, 60, maxMuteDays] as const
/** Keeps the last choice valid when it is sent a while later. */
const marginMs = 60_000

/** Asks how long to snooze a signal. */
export default function SnoozeDialog({ signal, onClose }: { signal: Signal; onClose: () => void }) {
  const [choices] = useState(() => createChoices(Date.now()))
  return (
    <FormDialog
      title={`Snooze: ${signal.title}`}
      call={signalsContract.mute}
      params={{ id: signal.id }}
      start={{ until: choices[0]!.value }}
      fields={({ selectControl }) => ({ until: selectControl('Until', choices) })}
      opened
      onClose={onClose}
    />
  )
}

const createChoices = (now: number) =>
  snoozeDays.map((days) => {
    const value = new Date(now + days * msPerDay - marginMs).toISOString()
    return { value, label: formatInstant(value), detail: countOf(days, 'day') }
  })
