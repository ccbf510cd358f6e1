import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type AccessSubject, adminOnly, bothRules } from '#contract/allow.ts'
import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import { getLeadName } from '#domains/leads/lead-name.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import { leadBatchContract } from '../contract.ts'
import classes from './Batch.module.css'
import { countSelected, createSelection, isPageSelected, isSelected, type RowSelection } from './selection.ts'

type SelectionMeans = {
  selection: RowSelection
  column: TableColumn<Lead, LeadSort>
  shortcuts: readonly RowShortcut<Lead>[]
}

/** Lets admins select leads of a list; returns null for others. A new query clears the selection, a new page does not. */
export function useLeadSelection(me: AccessSubject, rows: readonly Lead[] | undefined, filters: object) {
  const [means] = useState(buildSelectionMeans)
  const { selection } = means
  const ids = useMemo(() => rows?.map(({ id }) => id) ?? [], [rows])
  useEffect(() => selection.store.setState({ rows: ids }), [selection, ids])
  const question = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query clears the selection.
  useEffect(() => selection.clear(), [selection, question])
  return maySelect(me) ? means : null
}

const maySelect = bothRules(leadBatchContract.create.allow, adminOnly)

function buildSelectionMeans(): SelectionMeans {
  const selection = createSelection()
  return {
    selection,
    column: {
      key: 'select',
      title: 'Select',
      width: 30,
      head: () => <SelectPageBox selection={selection} />,
      cell: (lead) => <SelectRowBox lead={lead} selection={selection} />,
    },
    shortcuts: [
      {
        key: 'x',
        label: 'Select or deselect',
        run: (lead) => {
          selection.toggle(lead.id)
          return 'stay'
        },
      },
    ],
  }
}

/** The checkbox at the start of a row. */
function SelectRowBox({ lead, selection }: { lead: Lead; selection: RowSelection }) {
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
function SelectPageBox({ selection }: { selection: RowSelection }) {
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
