import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { TableName } from '#domains/access/sign-in/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import type { Input } from '../data/api.ts'
import { FilterBar, type FilterControl } from '../filters/filters.tsx'
import { type Draft, type FieldsOf, FormDialog, type FormEndpoint } from '../form/FormDialog.tsx'
import { ActionButton, IconButton } from '../layout/ActionButton.tsx'
import { Screen } from '../layout/Screen.tsx'
import { useDialog } from '../layout/useDialog.ts'
import { type Column, DataTable, type Rows } from './DataTable.tsx'
import { ListFooter } from './Pager.tsx'
import { RowActions } from './RowButton.tsx'
import type { FilterAt } from './useList.ts'

/** What `useList` or `useArray` gave. */
type Source<Row, Sort extends string, Filters> = Rows<Row, Sort> & {
  setPage?: (page: number) => void
  setPerPage?: (size: number) => void
  filters?: Filters
  filter?: <Name extends keyof Filters & string>(name: Name) => FilterAt<Filters[Name]>
}

/** A call about one row. */
export type ById = Endpoint<`${'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}/:id`>

type Props<Row, Sort extends string, Filters, C extends FormEndpoint, U extends ById & FormEndpoint> = {
  title: string
  /** The name of its table. */
  table?: TableName
  list: Source<Row, Sort, Filters>
  columns: readonly Column<NoInfer<Row>, NoInfer<Sort>>[]
  /** A control for each filter that is shown. A name that the list's query does not know does not compile. */
  filters?: { [Name in keyof NoInfer<Filters>]?: FilterControl<NoInfer<Filters>[Name]> }
  create?: { call: C; button: string; start: Draft<NoInfer<C>>; fields: FieldsOf<NoInfer<C>> }
  update?: { call: U; title: string; start: (row: NoInfer<Row>) => Draft<NoInfer<U>>; fields: FieldsOf<NoInfer<U>> }
  remove?: ById
  /** More buttons of a row, before edit and delete. */
  actions?: (row: NoInfer<Row>) => ReactNode
  /** Pixels for all of them. */
  actionsWidth?: number
  /** Stands above the filters: what should be known before anything is done. */
  notice?: ReactNode
  /** More buttons of the list, before the one that makes a row. */
  buttons?: ReactNode
}

/** The usual screen, declared: a list with its filters, columns, dialogs and row actions. */
export function ListScreen<
  Row extends { id: number },
  Sort extends string,
  Filters,
  C extends FormEndpoint,
  U extends ById & FormEndpoint,
>(props: Props<Row, Sort, Filters, C, U>) {
  const { title, table, list, columns, filters, create, update, remove, actions, buttons, notice } = props
  const { actionsWidth = actions ? 160 : 100 } = props
  const me = useMe()
  const creating = useDialog()
  const editing = useDialog<Row>()
  const mayUpdate = update?.call.allow(me)
  const mayRemove = remove?.allow(me)

  const actionColumn: Column<Row, Sort> = {
    key: 'actions',
    title: 'Actions',
    width: actionsWidth,
    pinned: 'end',
    cell: (row) => (
      <RowActions>
        {actions?.(row)}
        {mayUpdate && (
          <IconButton label="Edit" onClick={() => editing.open(row)}>
            <IconPencil size={16} aria-hidden="true" />
          </IconButton>
        )}
        {remove && mayRemove && (
          <ActionButton
            call={remove}
            input={{ params: { id: row.id } }}
            label="Delete"
            icon={<IconTrash size={16} aria-hidden="true" />}
          />
        )}
      </RowActions>
    ),
  }
  const hasActions = actions !== undefined || mayUpdate || mayRemove

  return (
    <Screen
      title={title}
      actions={
        <>
          {buttons}
          {create?.call.allow(me) && <Button onClick={() => creating.open(undefined)}>{create.button}</Button>}
        </>
      }
    >
      {notice}
      {filters && <FilterBar list={list}>{shown(list, filters)}</FilterBar>}
      <DataTable label={title} table={table} list={list} columns={hasActions ? [...columns, actionColumn] : columns} />
      <ListFooter list={list} table={table} />
      {create && (
        <FormDialog
          title={create.button}
          call={create.call}
          start={create.start}
          fields={create.fields}
          opened={creating.opened}
          onClose={creating.close}
        />
      )}
      {update && editing.subject && (
        <FormDialog
          title={update.title}
          call={update.call}
          params={{ id: editing.subject.id } as unknown as Input<U>['params']} // the one parameter that `ById` has
          start={update.start(editing.subject)}
          fields={update.fields}
          opened={editing.opened}
          onClose={editing.close}
        />
      )}
    </Screen>
  )
}

type Shown<Filters> = { [Name in keyof Filters]?: FilterControl<Filters[Name]> }

function shown<Row, Sort extends string, Filters>(
  list: Source<Row, Sort, Filters>,
  filters: Shown<Filters>,
): ReactNode[] {
  const names = Object.keys(filters) as (keyof Filters & string)[]
  return names.map((name) => {
    const at = list.filter?.(name)
    return at && <span key={name}>{filters[name]?.(at)}</span>
  })
}
