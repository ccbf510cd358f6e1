import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Lead } from '#domains/leads/contract.ts'
import { getLeadName } from '#domains/leads/labels.ts'
import classes from './Batch.module.css'
import { countSelected, isPageSelected, isSelected, type RowSelection } from './selection.ts'

/** The checkbox at the start of a row. */
export function SelectRowBox({ lead, selection }: { lead: Lead; selection: RowSelection }) {
  const isOn = useStore(selection.store, (state) => isSelected(state, lead.id))
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        aria-label={`Select ${getLeadName(lead)}`}
        checked={isOn}
        // A change event does not tell whether Shift was held.
        onClick={(event) => selection.toggle(lead.id, event.shiftKey)}
        onChange={() => {}}
      />
    </label>
  )
}

/** The checkbox that selects the page. */
export function SelectPageBox({ selection }: { selection: RowSelection }) {
  const isOn = useStore(selection.store, isPageSelected)
  const isPartly = useStore(selection.store, (state) => countSelected(state) > 0) && !isOn
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly
  }, [isPartly])
  return (
    <label className={classes.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all on this page"
        checked={isOn}
        onChange={selection.togglePage}
      />
    </label>
  )
}
