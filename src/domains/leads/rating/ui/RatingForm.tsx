import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { readTypedAmount, typedAmountProblem } from '#contract/read-number.ts'
import { notLeadProgress, progressSteps } from '#domains/leads/labels.ts'
import arrange from '#ui/layout/arrange.module.css'
import buttons from '#ui/layout/buttons.module.css'
import text from '#ui/theme/text.module.css'
import type { RatedLead, RatingFormInput } from '../contract.ts'
import type { SaveOutcome } from './SavedNotice.tsx'
import classes from './screen.module.css'

/** Saves the feedback and returns the outcome. */
export type SaveFeedback = (feedback: RatingFormInput) => Promise<SaveOutcome>

type RatingFormProps = {
  lead: RatedLead
  save: SaveFeedback
  /** What became of the last save, beside the button. */
  children: ReactNode
}

/** The form for a client's feedback on a lead. */
export function RatingForm({ lead, save, children }: RatingFormProps) {
  const [draft, setDraft] = useState(() => toRatingDraft(lead))
  const [saved, setSaved] = useState(draft)
  const [isSaving, setSaving] = useState(false)
  const set = (change: Partial<RatingDraft>) => setDraft((before) => ({ ...before, ...change }))
  // The question above the form may be answered with another star; what else is written here stays.
  const [given, setGiven] = useState(lead.rating)
  if (given !== lead.rating) {
    setGiven(lead.rating)
    set({ rating: lead.rating })
  }
  const [isRefused, setRefused] = useState(false)
  const hasTarget = draft.progress !== notLeadProgress

  async function submit() {
    if (isSaving) return
    const unread = [draft.value, draft.profit].some((text) => Number.isNaN(readTypedAmount(text)))
    setRefused(unread)
    if (unread) return
    // Unchanged fields are not sent: the agency may have changed them since.
    const words = (['company_name', 'notes', 'value', 'profit'] as const).filter((name) => draft[name] !== saved[name])
    setSaving(true)
    const now = await save({
      // What the page shows as chosen is confirmed with each save; there is nothing to choose none with.
      ...(draft.progress !== null && { progress: draft.progress }),
      ...(hasTarget && draft.rating !== null && { rating: draft.rating }),
      ...Object.fromEntries(words.map((name) => [name, parseDraftField(name, draft[name])])),
    })
    setSaving(false)
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
      {hasTarget && <StarRatingInput value={draft.rating} set={(rating) => set({ rating })} />}
      <fieldset className={`${arrange.buttons} ${classes.progress}`}>
        <legend>Progress</legend>
        {progressSteps.map(({ value, label }) => (
          <label
            key={value}
            className={buttons.choice}
            data-ring
            data-hover
            data-on={draft.progress === value || undefined}
          >
            <input
              type="radio"
              className={text.unseenInput}
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
        <MoneyField label="Value" value={draft.value} set={(value) => set({ value })} isRefused={isRefused} />
        <MoneyField label="Profit" value={draft.profit} set={(profit) => set({ profit })} isRefused={isRefused} />
      </div>
      {children}
      <Button type="submit" size="md" fullWidth loading={isSaving} title="Ctrl+Enter">
        Save Lead
      </Button>
    </form>
  )
}

type MoneyFieldProps = { label: string; value: string; set: (value: string) => void; isRefused: boolean }

function MoneyField({ label, value, set, isRefused }: MoneyFieldProps) {
  const [isLeft, setLeft] = useState(true)
  const problemId = useId()
  const isUnread = (isLeft || isRefused) && Number.isNaN(readTypedAmount(value))
  return (
    <div className={classes.field}>
      <label className={classes.field}>
        {label}
        <span className={classes.dollars}>
          <span aria-hidden="true">$</span>
          <input
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            value={value}
            aria-invalid={isUnread || undefined}
            aria-describedby={isUnread ? problemId : undefined}
            onFocus={() => setLeft(false)}
            onBlur={() => setLeft(true)}
            onChange={(event) => set(event.currentTarget.value)}
          />
        </span>
      </label>
      {isUnread && (
        <p id={problemId} className={text.bad} role="alert">
          {typedAmountProblem}
        </p>
      )}
    </div>
  )
}

type RatingDraft = Pick<RatedLead, 'progress' | 'rating'> & {
  company_name: string
  notes: string
  value: string
  profit: string
}

const toRatingDraft = (lead: RatedLead): RatingDraft => ({
  progress: lead.progress,
  rating: lead.rating,
  company_name: lead.company_name ?? '',
  notes: lead.client_notes ?? '',
  value: lead.value === null ? '' : String(lead.value),
  profit: lead.profit === null ? '' : String(lead.profit),
})

function parseDraftField(name: 'company_name' | 'notes' | 'value' | 'profit', text: string): string | number | null {
  if (name === 'company_name' || name === 'notes') return text
  return readTypedAmount(text)
}

type StarRating = NonNullable<RatedLead['rating']>
const starRatings: StarRating[] = ['1', '2', '3', '4', '5']

/** An input for one to five stars. */
function StarRatingInput({ value, set }: { value: RatedLead['rating']; set: (stars: StarRating) => void }) {
  return (
    <fieldset>
      <legend>Hit Target</legend>
      <div className={classes.stars}>
        {starRatings.map((star) => (
          <label key={star} data-ring data-full={(value !== null && star <= value) || undefined}>
            <input
              type="radio"
              className={text.unseenInput}
              name="rating"
              aria-label={star === '1' ? '1 star' : `${star} stars`}
              checked={value === star}
              onChange={() => set(star)}
            />
            <svg viewBox="0 0 24 24" width="32" height="32" aria-hidden="true">
              <path d="M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.4l6.5-.9z" />
            </svg>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
