import { type ClipboardEvent, type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react'
import { formatBriefMoney } from '#contract/money.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { useLeadDesk } from '#domains/leads/detail/ui/desk-store.ts'
import { focusControlCell } from '#ui/table/table-keys.ts'
import { useEditFailure, useEditLead } from '../LeadEditing.tsx'
import type { EditableField } from '../lead-mutations.ts'
import classes from './cells.module.css'
import { EditFailureNotice } from './EditFailureNotice.tsx'

type TextInputCellProps = {
  lead: Lead
  field: 'notes' | 'company_name' | 'client_notes'
  label: string
  isLong?: boolean
  ref?: Ref<HTMLTextAreaElement>
}

/** Text that is saved on blur or Ctrl+Enter; Esc first restores the old text, then leaves the field. */
export function TextInputCell({ lead, field, label, isLong, ref }: TextInputCellProps) {
  const current = lead[field] ?? ''
  const draft = useCellDraft(lead, field, (text) => text.trim() || null)
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
          ref={ref}
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
      <EditFailureNotice id={lead.id} field={field} />
    </>
  )
}

type MoneyInputCellProps = { lead: Lead; field: 'client_value' | 'client_profit'; label: string }

/** Whole dollars. Existing cents stay until another amount is typed. */
export function MoneyInputCell({ lead, field, label }: MoneyInputCellProps) {
  const current = lead[field]
  const dollars = current === null ? '' : String(Math.trunc(current))
  const draft = useCellDraft(lead, field, (digits) => (digits === '' ? null : Number(digits)))
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
        value={draft.text ?? (current === null ? '' : formatBriefMoney(current))}
        onFocus={() => draft.type(draft.text ?? dollars, dollars)}
        onChange={(event) => draft.type(stripNonDigits(event.currentTarget.value))}
        onPaste={(event) => pasteDollars(event, draft.type)}
        onBlur={draft.save}
        onKeyDown={draft.onKey}
      />
      <EditFailureNotice id={lead.id} field={field} />
    </>
  )
}
const stripNonDigits = (text: string) => text.replace(/\D/g, '')

/** Pastes "$1,234.50" as 1234 dollars; its digits alone would be a hundred times as much. */
function pasteDollars(event: ClipboardEvent<HTMLInputElement>, type: (digits: string) => void) {
  const amount = event.clipboardData.getData('text').trim()
  if (!/^\$?[\d,]+\.\d{1,2}$/.test(amount)) return
  event.preventDefault()
  type(stripNonDigits(amount.replace(/\.\d*$/, '')).slice(0, 10))
}

type CellDraft = {
  text: string
  /** The text that means no change. */
  unchanged: string
  /** The lead when typing started: the person has not seen later changes. */
  seen: Lead
}

/**
 * Holds the draft of a cell until it is saved, unaffected by data that is loaded in the meantime. What could not be saved stays in the
 * field, unless another person has changed the field since.
 */
function useCellDraft<Field extends EditableField>(lead: Lead, field: Field, meant: (text: string) => Lead[Field]) {
  const edit = useEditLead()
  const failure = useEditFailure(lead.id, field)
  const unsaved = failure && !failure.isOutrun ? String(failure.value ?? '') : undefined
  const desk = useLeadDesk()
  const [draft, setDraft] = useState<CellDraft | null>(null)

  function save() {
    if (!draft) return
    setDraft(null)
    if (draft.text.trim() !== draft.unchanged.trim()) edit(draft.seen, field, meant(draft.text))
  }
  // Saves on unmount: a row that scrolls out of sight unmounts with the focus still in it.
  const leave = useRef(save)
  useEffect(() => {
    leave.current = save
  })
  useEffect(() => () => leave.current(), [])

  return {
    text: draft?.text ?? unsaved,
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
      if (event.key === 'Escape') failure?.drop()
      if (event.key !== 'Enter' || !(isLine || event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (desk?.get().pane?.contains(event.currentTarget)) desk.leaveField()
      else focusControlCell(event.currentTarget)
    },
  }
}
