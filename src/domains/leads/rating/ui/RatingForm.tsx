import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { notLead, progress } from '#domains/leads/labels.ts'
import type { RatedLead } from '../contract.ts'
import { HitTarget } from './HitTarget.tsx'
import { type Outcome, Said } from './SavedMessage.tsx'
import classes from './screen.module.css'
import type { Save } from './screen.tsx'

type Props = {
  lead: RatedLead
  save: Save
  /** The person speaks for themselves from now on. */
  onSave: () => void
}

/** What a client says about a lead. */
export function RatingForm({ lead, save, onSave }: Props) {
  const [draft, setDraft] = useState(() => startOf(lead))
  const [saved, setSaved] = useState(draft)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isSaving, setSaving] = useState(false)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const hasTarget = draft.progress !== notLead

  async function submit() {
    if (isSaving) return
    // What was not touched is not sent: the agency may have changed it since.
    const words = (['company_name', 'notes', 'value', 'profit'] as const).filter((name) => draft[name] !== saved[name])
    onSave()
    setOutcome(null)
    setSaving(true)
    const now = await save({
      progress: draft.progress,
      ...(hasTarget && { rating: draft.rating }),
      ...Object.fromEntries(words.map((name) => [name, meant(name, draft[name])])),
    })
    setSaving(false)
    setOutcome(now)
    if ('saved' in now) setSaved(draft)
  }
  function saveByKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }

  return (
    <form
      className={classes.card}
      noValidate
      onKeyDown={saveByKey}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void submit()
      }}
    >
      {hasTarget && <HitTarget value={draft.rating} set={(rating) => set({ rating })} />}
      <fieldset className={classes.progress}>
        <legend>Progress</legend>
        {steps.map(({ value, label }) => (
          <label key={value} data-on={draft.progress === value || undefined}>
            <input
              type="radio"
              name="progress"
              checked={draft.progress === value}
              onChange={() => set({ progress: value })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <label className={classes.field}>
        Company Name
        <input
          maxLength={255}
          autoComplete="off"
          value={draft.company_name}
          onChange={(event) => set({ company_name: event.currentTarget.value })}
        />
      </label>
      <label className={classes.field}>
        Notes
        <textarea
          rows={3}
          maxLength={10_000}
          value={draft.notes}
          onChange={(event) => set({ notes: event.currentTarget.value })}
        />
      </label>
      <div className={classes.money}>
        <Money label="Value" value={draft.value} set={(value) => set({ value })} />
        <Money label="Profit" value={draft.profit} set={(profit) => set({ profit })} />
      </div>
      <Said outcome={outcome} />
      <Button type="submit" size="md" fullWidth loading={isSaving} title="Ctrl+Enter">
        Save Lead
      </Button>
    </form>
  )
}

const steps = Object.entries(progress).map(([value, label]) => ({ value: Number(value), label }))

function Money({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <label className={classes.field}>
      {label}
      <span className={classes.dollars}>
        <span aria-hidden="true">$</span>
        <input
          inputMode="decimal"
          autoComplete="off"
          maxLength={13}
          value={value}
          onChange={(event) => set(amount(event.currentTarget.value))}
        />
      </span>
    </label>
  )
}

/** Digits with at most two decimals. */
const amount = (text: string) => text.replace(/[^\d.]/g, '').match(/^\d*(\.\d{0,2})?/)?.[0] ?? ''

type Draft = Pick<RatedLead, 'progress' | 'rating'> & {
  company_name: string
  notes: string
  value: string
  profit: string
}

const startOf = (lead: RatedLead): Draft => ({
  progress: lead.progress,
  rating: lead.rating,
  company_name: lead.company_name ?? '',
  notes: lead.client_notes ?? '',
  value: lead.value === null ? '' : String(lead.value),
  profit: lead.profit === null ? '' : String(lead.profit),
})

function meant(name: 'company_name' | 'notes' | 'value' | 'profit', text: string): string | number | null {
  if (name === 'company_name' || name === 'notes') return text
  return /\d/.test(text) ? Number(text) : null
}
