import { useEffect, useMemo, useState } from 'react'
import { type AccessSubject, adminOnly, bothRules } from '#contract/allow.ts'
import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import { leadBatchContract } from '../contract.ts'
import { SelectPageBox, SelectRowBox } from './SelectBoxes.tsx'
import { createSelection, type RowSelection } from './selection.ts'

type SelectionMeans = {
  selection: RowSelection
  column: TableColumn<Lead, LeadSort>
  shortcuts: readonly RowShortcut<Lead>[]
}

/** Lets admins select leads of a list; returns null for others. A new query clears the selection, a new page does not. */
export function useLeadSelection(me: AccessSubject, rows: readonly Lead[] | undefined, asked: object) {
  const [means] = useState(buildSelectionMeans)
  const { selection } = means
  const ids = useMemo(() => rows?.map(({ id }) => id) ?? [], [rows])
  useEffect(() => selection.store.setState({ rows: ids }), [selection, ids])
  const question = JSON.stringify(asked)
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
