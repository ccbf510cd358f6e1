import { useMemo } from 'react'
import type { CurrentUser } from '#domains/session/contract.ts'
import { ColumnChooser, useHiddenColumns } from '#web/ColumnChooser.tsx'
import { useMe } from '#web/me.ts'
import { ListFooter } from '#web/Pager.tsx'
import { Screen } from '#web/Screen.tsx'
import { useList } from '#web/useList.ts'
import { leadColumnsFor } from '../LeadColumns.tsx'
import { LeadEditing } from '../LeadEditing.tsx'
import { LeadRows } from '../LeadRows.tsx'
import { Blacklist } from '../spam/Blacklist.tsx'
import { Spammers } from '../spam/Spammers.tsx'
import { related } from './contract.ts'

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
