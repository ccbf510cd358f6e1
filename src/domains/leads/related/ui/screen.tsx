import { type ComponentProps, useMemo, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useLeadKeys } from '#domains/leads/detail/ui/lead-keys.ts'
import { LeadCards } from '#domains/leads/list/ui/LeadCards.tsx'
import { buildLeadColumns } from '#domains/leads/list/ui/LeadColumns.tsx'
import { LeadEditorProvider, useUndoStack } from '#domains/leads/list/ui/LeadEditing.tsx'
import { LeadDataTable } from '#domains/leads/list/ui/LeadRows.tsx'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { BlacklistButton } from '#domains/leads/spam/ui/Blacklist.tsx'
import { SpammersButton } from '#domains/leads/spam/ui/SpammersButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useIsPhone } from '#ui/layout/useIsPhone.ts'
import { ColumnChooser, useHiddenColumns } from '#ui/table/columns/ColumnChooser.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { relatedLeadsContract } from '../contract.ts'

/** Leads that share a phone or an email with another one, in any campaign. */
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
      title={relatedTitle}
      actions={
        <>
          <ColumnChooser columns={columns} hidden={hidden} onSave={saveHidden} />
          <BlacklistButton />
          <SpammersButton />
        </>
      }
    >
      <LeadEditorProvider patch={patch}>
        <RelatedRows me={me} list={list} columns={columns} hidden={hidden} />
      </LeadEditorProvider>
      <ListFooter table="leads" list={list} />
    </ScreenFrame>
  )
}

const relatedTitle = 'Leads Related'
type RelatedRowsProps = { me: CurrentUserDto } & Pick<
  ComponentProps<typeof LeadDataTable>,
  'list' | 'columns' | 'hidden'
> & {
    list: { patch: PatchLead }
  }

function RelatedRows({ me, ...rest }: RelatedRowsProps) {
  const stack = useUndoStack()
  const [undo] = useState(() => () => void stack.undo())
  const shortcuts = useLeadKeys(me, { title: relatedTitle, view: 'related', patch: rest.list.patch, undo })
  const isPhone = useIsPhone()
  if (isPhone) return <LeadCards me={me} label={relatedTitle} shortcuts={shortcuts} {...rest} />
  return <LeadDataTable label={relatedTitle} shortcuts={shortcuts} {...rest} />
}
