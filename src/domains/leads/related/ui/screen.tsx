import { useMemo } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import { leadColumnsFor } from '#domains/leads/list/ui/LeadColumns.tsx'
import { LeadEditing } from '#domains/leads/list/ui/LeadEditing.tsx'
import { LeadRows } from '#domains/leads/list/ui/LeadRows.tsx'
import { Blacklist } from '#domains/leads/spam/ui/Blacklist.tsx'
import { Spammers } from '#domains/leads/spam/ui/Spammers.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { ColumnChooser, useHiddenColumns } from '#ui/table/ColumnChooser.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { related } from '../contract.ts'

/** Leads that share a phone or an email with another one, in whatever campaign. */
export default function LeadsRelated() {
  const me = useMe()
  return me && <LeadsRelatedScreen me={me} />
}

const everywhere = { global: 1 } as const

function LeadsRelatedScreen({ me }: { me: CurrentUser }) {
  const list = useList(related.everywhere, { fixed: everywhere, hold: true })
  const { patch } = list
  const columns = useMemo(() => leadColumnsFor(me, { view: 'related', patch }), [me, patch])
  const [hidden, saveHidden] = useHiddenColumns('leads.list')
  return (
    <Screen
      title="Leads Related"
      actions={
        <>
          <ColumnChooser columns={columns} hidden={hidden} onSave={saveHidden} />
          <Blacklist />
          <Spammers />
        </>
      }
    >
      <LeadEditing patch={patch}>
        <LeadRows me={me} label="Leads Related" view="related" list={list} columns={columns} hidden={hidden} />
      </LeadEditing>
      <ListFooter table="leads" list={list} />
    </Screen>
  )
}
