import { useMemo } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { buildLeadColumns, leadRowTint, startHiddenColumns } from '#domains/leads/list/ui/LeadColumns.tsx'
import { LeadEditorProvider } from '#domains/leads/list/ui/LeadEditing.tsx'
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
  const { patch } = list
  const columns = useMemo(() => buildLeadColumns(me, { view: 'related', patch }), [me, patch])
  const [hidden] = useHiddenColumns('leads.list', startHiddenColumns)
  const base = { rows: [lead], total: 1, loading: false, fetching: false, error: null, retry: list.retry }
  return (
    <LeadEditorProvider patch={patch}>
      <div className={classes.base}>
        <h3 className={classes.title}>This lead</h3>
        <DataTable label="This lead" list={base} columns={columns} hidden={hidden} tint={leadRowTint} />
      </div>
      <div className={classes.related}>
        <h3 className={classes.title}>Related ({list.total?.toLocaleString('en-US') ?? '…'})</h3>
        <DataTable label="Related leads" list={list} columns={columns} hidden={hidden} tint={leadRowTint} />
      </div>
      <ListFooter list={list} />
    </LeadEditorProvider>
  )
}
