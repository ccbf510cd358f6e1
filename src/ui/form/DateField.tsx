import { Suspense } from 'react'
import { type Day, shownDay } from '../cells/days.ts'
import { part } from '../data/lazy-part.ts'
import type { FieldControl } from './fields.tsx'

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
