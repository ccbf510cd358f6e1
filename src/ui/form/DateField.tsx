import { Suspense } from 'react'
import { type CalendarDay, formatDay } from '../cells/days.ts'
import { lazyComponent } from '../data/lazy-part.ts'
import type { FieldControl } from './fields.tsx'

// The calendar is as heavy as the rest of a form.
const DayInput = lazyComponent(() => import('./DayInput.tsx'))

/** A day, typed as MM/DD/YYYY or picked. */
export const dateControl =
  (label: string, options: { earliest?: CalendarDay } = {}): FieldControl<string> =>
  (at, { TextControl }) => (
    // What stands below does not move when it comes, and nothing is typed into what will be gone.
    <Suspense
      fallback={
        <div inert>
          <TextControl label={label} at={{ ...at, value: at.value && formatDay(at.value) }} />
        </div>
      }
    >
      <DayInput label={label} at={at} {...options} />
    </Suspense>
  )
