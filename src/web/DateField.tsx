import { Suspense } from 'react'
import { type Day, shownDay } from './days.ts'
import type { FieldControl } from './fields.tsx'
import { part } from './parts.ts'

// The calendar is as heavy as the rest of a form.
const DayInput = part(() => import('./DayInput.tsx'))

/** A day, typed as MM/DD/YYYY or picked. */
export const date =
  (label: string, options: { earliest?: Day } = {}): FieldControl<string> =>
  (at, { Text }) => (
    // What stands below does not move when it comes, and nothing is typed into what will be gone.
    <Suspense
      fallback={
        <div inert>
          <Text label={label} at={{ ...at, value: at.value && shownDay(at.value) }} />
        </div>
      }
    >
      <DayInput label={label} at={at} {...options} />
    </Suspense>
  )
