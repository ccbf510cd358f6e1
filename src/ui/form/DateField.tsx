import { Suspense } from 'react'
import { type CalendarDay, formatDay } from '../cells/days.ts'
import { lazyComponent } from '../data/lazy-part.ts'
import type { FieldControl } from './fields.tsx'

// Lazy: the calendar is as large as the rest of a form.
const DayInput = lazyComponent(() => import('./DayInput.tsx'))

/** A date, typed as MM/DD/YYYY or picked. */
export const dateControl =
  (label: string, options: { earliest?: CalendarDay } = {}): FieldControl<string> =>
  (at, { TextControl }) => (
    // The fallback has the same height, so nothing below moves, and is inert, so that no typed text is lost.
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
