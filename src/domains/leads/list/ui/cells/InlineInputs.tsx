import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { shownMoney } from '#ui/cells/cells.tsx'
import { leaveControl } from '#ui/table/table-keys.ts'
import { useEdit } from '../LeadEditing.tsx'
import type { RowField } from '../lead-mutations.ts'
import classes from './cells.module.css'
import { NotSaved } from './NotSaved.tsx'

type TextProps = { lead: Lead; field: 'notes' | 'company_name' | 'client_notes'; label: string; isLong?: boolean }

/** Text that is saved when one leaves it, or by Ctrl+Enter; Esc puts back what was there, and then leaves. */
export function TextCell({ lead, field, label, isLong }: TextProps) {
  const current = lead[field] ?? ''
  const draft = useDraft(lead, field, (text) => text.trim() || null)
  const props = {
    className: classes.input,
    'aria-label': label,
    placeholder: '–',
    value: draft.text ?? current,
    maxLength: field === 'company_name' ? 255 : 10_000,
    onBlur: draft.save,
  }
  return (
    <>
      {isLong ? (
        <textarea
          {...props}
          rows={1}
          onChange={(event) => draft.type(event.currentTarget.value)}
          onKeyDown={draft.onKey}
        />
      ) : (
        <input
          {...props}
          autoComplete="off"
          onChange={(event) => draft.type(event.currentTarget.value)}
          onKeyDown={draft.onKey}
        />
      )}
      <NotSaved id={lead.id} field={field} />
    </>
  )
}

type MoneyProps = { lead: Lead; field: 'client_value' | 'client_profit'; label: string }

/** Whole dollars. Cents that came from elsewhere stay until another amount is typed. */
export function MoneyCell({ lead, field, label }: MoneyProps) {
  const current = lead[field]
  const dollars = current === null ? '' : String(Math.trunc(current))
  const draft = useDraft(lead, field, (digits) => (digits === '' ? null : Number(digits)))
  return (
    <>
      <input
        className={classes.input}
        data-money
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        placeholder="–"
        maxLength={10}
        value={draft.text ?? (current === null ? '' : inDollars(current))}
        onFocus={() => draft.type(dollars, dollars)}
        onChange={(event) => draft.type(onlyDigits(event.currentTarget.value))}
        onPaste={(event) => pasteDollars(event, draft.type)}
        onBlur={draft.save}
        onKeyDown={draft.onKey}
      />
      <NotSaved id={lead.id} field={field} />
    </>
  )
}

const inDollars = (amount: number) => shownMoney(amount).replace(/\.00$/, '')
const onlyDigits = (text: string) => text.replace(/\D/g, '')

/** "$1,234.50" is 1234 dollars; its digits alone would be a hundred times as much. */
function pasteDollars(event: ClipboardEvent<HTMLInputElement>, type: (digits: string) => void) {
  const amount = event.clipboardData.getData('text').trim()
  if (!/^\$?[\d,]+\.\d{1,2}$/.test(amount)) return
  event.preventDefault()
  type(onlyDigits(amount.replace(/\.\d*$/, '')).slice(0, 10))
}

type Draft = {
  text: string
  /** What would mean no change. */
  unchanged: string
  /** The lead as it was when the typing began: what came in meanwhile was not seen. */
  seen: Lead
}

/** What is being typed into a cell. It is its own until it is saved, so nothing that is read meanwhile disturbs it. */
function useDraft<Field extends RowField>(lead: Lead, field: Field, meant: (text: string) => Lead[Field]) {
  const edit = useEdit()
  const [draft, setDraft] = useState<Draft | null>(null)

  function save() {
    if (!draft) return
    setDraft(null)
    if (draft.text.trim() !== draft.unchanged.trim()) edit(draft.seen, field, meant(draft.text))
  }
  // A row that is scrolled out of sight is taken off the page with its cursor still in it.
  const leave = useRef(save)
  useEffect(() => {
    leave.current = save
  })
  useEffect(() => () => leave.current(), [])

  return {
    text: draft?.text,
    type: (text: string, unchanged?: string) =>
      setDraft((before) =>
        before ? { ...before, text } : { text, unchanged: unchanged ?? String(lead[field] ?? ''), seen: lead },
      ),
    save,
    onKey: (event: KeyboardEvent<HTMLElement>) => {
      const isLine = event.currentTarget instanceof HTMLInputElement
      if (event.key === 'Escape' && draft && draft.text !== draft.unchanged) {
        event.preventDefault()
        setDraft({ ...draft, text: draft.unchanged })
      }
      if (event.key !== 'Enter' || !(isLine || event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      leaveControl(event.currentTarget)
    },
  }
}
