import { Suspense } from 'react'
import type { Day } from './days.ts'
import type { FieldControl } from './fields.tsx'
import { part } from './parts.ts'

// The calendar is as heavy as the rest of a form.
const DayInput = part(() => import('./DayInput.tsx'))

/** A day, typed as MM/DD/YYYY or picked. */
export const date =
  (label: string, options: { earliest?: Day } = {}): FieldControl<string> =>
  (at, { Text }) => (
    // As high as it will be, with nothing in it: what stands below does not move when it comes.
    <Suspense fallback={<Text label={label} at={{ ...at, value: null }} />}>
      <DayInput label={label} at={at} {...options} />
    </Suspense>
  )
