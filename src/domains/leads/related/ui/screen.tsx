import { useMemo } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { buildLeadColumns } from '#domains/leads/list/ui/LeadColumns.tsx'
import { LeadEditorProvider } from '#domains/leads/list/ui/LeadEditing.tsx'
import { LeadDataTable } from '#domains/leads/list/ui/LeadRows.tsx'
import { BlacklistButton } from '#domains/leads/spam/ui/Blacklist.tsx'
import { SpammersButton } from '#domains/leads/spam/ui/Spammers.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ColumnChooser, useHiddenColumns } from '#ui/table/ColumnChooser.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { relatedLeadsContract } from '../contract.ts'

/** Leads that share a phone or an email with another one, in whatever campaign. */
export default function RelatedLeadsScreen() {
  const me = useCurrentUser()
  return me && <RelatedLeadsView me={me} />
}

const everywhereFilter = { global: 1 } as const

function RelatedLeadsView({ me }: { me: CurrentUserDto }) {
  const list = useList(relatedLeadsContract.everywhere, { fixed: everywhereFilter, hold: true })
  const { patch } = list
  const columns = useMemo(() => buildLeadColumns(me, { view: 'related', patch }), [me, patch])
  const [hidden, saveHidden] = useHiddenColumns('leads.list')
  return (
    <ScreenFrame
      title="Leads Related"
      actions={
        <>
          <ColumnChooser columns={columns} hidden={hidden} onSave={saveHidden} />
          <BlacklistButton />
          <SpammersButton />
        </>
      }
    >
      <LeadEditorProvider patch={patch}>
        <LeadDataTable me={me} label="Leads Related" view="related" list={list} columns={columns} hidden={hidden} />
      </LeadEditorProvider>
      <ListFooter table="leads" list={list} />
    </ScreenFrame>
  )
}
