import { Modal } from '@mantine/core'
import { useMemo } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { leadColumnsFor, tint } from '#domains/leads/list/ui/LeadColumns.tsx'
import { LeadEditing } from '#domains/leads/list/ui/LeadEditing.tsx'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { related } from '../contract.ts'
import classes from './RelatedLeads.module.css'

/** The leads of the same person. */
export default function RelatedLeads({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const me = useMe()
  useFocusBack()
  if (!me) return null
  return (
    <Modal opened onClose={onClose} title="Related Leads" size="calc(100vw - 48px)">
      <Related me={me} lead={lead} />
    </Modal>
  )
}

/** The lead itself on top, then those of the same phone or email in its campaign. */
function Related({ me, lead }: { me: CurrentUser; lead: Lead }) {
  const list = useList(related.ofLead, { params: { id: lead.id }, keep: 'here', hold: true })
  const { patch } = list
  const columns = useMemo(() => leadColumnsFor(me, { view: 'related', patch }), [me, patch])
  const base = { rows: [lead], total: 1, loading: false, fetching: false, error: null, retry: list.retry }
  return (
    <LeadEditing patch={patch}>
      <div className={classes.base}>
        <DataTable label="This lead" list={base} columns={columns} tint={tint} />
      </div>
      <div className={classes.related}>
        <DataTable label="Related leads" list={list} columns={columns} tint={tint} />
      </div>
      <ListFooter list={list} />
    </LeadEditing>
  )
}
