import type { Lead } from '#domains/leads/contract.ts'
import { progress } from '#domains/leads/labels.ts'
import { useEdit } from '../LeadEditing.tsx'
import classes from './cells.module.css'
import { NotSaved } from './NotSaved.tsx'

const steps = Object.entries(progress).map(([value, label]) => ({ value: Number(value), label }))

/** Where the sale stands. A click on where it stands takes that back. */
export function ProgressCell({ lead }: { lead: Lead }) {
  const edit = useEdit()
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset in each of a thousand cells costs more than it says. */}
      <div className={classes.progress} role="group" aria-label="Progress">
        {steps.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            data-progress={value}
            aria-pressed={lead.client_progress === value}
            title={lead.client_progress === value ? `${label}: click to clear` : undefined}
            onClick={() => edit(lead, 'client_progress', lead.client_progress === value ? null : value)}
          >
            {label}
          </button>
        ))}
      </div>
      <NotSaved id={lead.id} field="client_progress" />
    </>
  )
}
