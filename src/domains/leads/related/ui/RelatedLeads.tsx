import { useCallback, useMemo, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { buildLeadColumns, leadRowTint } from '#domains/leads/list/ui/LeadColumns.tsx'
import { LeadEditorProvider } from '#domains/leads/list/ui/LeadEditing.tsx'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { useHiddenColumns } from '#ui/table/columns/ColumnChooser.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { relatedLeadsContract } from '../contract.ts'
import classes from './RelatedLeads.module.css'

/** A dialog with the leads of the same person. */
export default function RelatedLeadsDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const me = useCurrentUser()
  if (!me) return null
  return (
    <ModalDialog opened onClose={onClose} title="Related Leads" size="calc(100vw - 48px)">
      <RelatedLeadsTables me={me} lead={lead} />
    </ModalDialog>
  )
}

/** The lead itself on top, then those with the same phone or email in its campaign. */
function RelatedLeadsTables({ me, lead }: { me: CurrentUserDto; lead: Lead }) {
  const list = useList(relatedLeadsContract.ofLead, { params: { id: lead.id }, keep: 'here', hold: true })
  const [own, patch] = useOwnLead(lead, list.patch)
  const columns = useMemo(() => buildLeadColumns(me, { view: 'related', patch }), [me, patch])
  const [hidden] = useHiddenColumns('leads.list')
  const base = { rows: [own], total: 1, loading: false, fetching: false, error: null, retry: list.retry }
  return (
    <LeadEditorProvider patch={patch}>
      <div className={`${arrange.column} ${classes.base}`}>
        <h3 className={classes.title}>This lead</h3>
        <DataTable label="This lead" list={base} columns={columns} hidden={hidden} tint={leadRowTint} />
      </div>
      <div className={`${arrange.column} ${classes.related}`}>
        <h3 className={classes.title}>Related ({list.total?.toLocaleString('en-US') ?? '…'})</h3>
        <DataTable label="Related leads" list={list} columns={columns} hidden={hidden} tint={leadRowTint} />
      </div>
      <ListFooter list={list} />
    </LeadEditorProvider>
  )
}

/** Returns the lead, which is in no list here, as edits change it, and a patch for it and the rows of the list. */
function useOwnLead(lead: Lead, patchRow: PatchLead): [own: Lead, patch: PatchLead] {
  const [own, setOwn] = useState(lead)
  const patch = useCallback<PatchLead>(
    (id, fields) => {
      if (id !== lead.id) return patchRow(id, fields)
      let before: Lead | undefined
      setOwn((now) => {
        before = now
        return { ...now, ...fields }
      })
      const names = Object.keys(fields)
      return () =>
        setOwn((now) => ({ ...now, ...Object.fromEntries(names.map((name) => [name, before?.[name as keyof Lead]])) }))
    },
    [lead.id, patchRow],
  )
  return [own, patch]
}
