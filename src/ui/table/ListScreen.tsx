import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import type { CallInput } from '../data/api.ts'
import { usePerson } from '../data/person.ts'
import { FilterBar, type FilterControl } from '../filters/filters.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import type { ControlsOf, FormControls, FormDialogProps, FormDraft, FormEndpoint } from '../form/form-dialog-props.ts'
import { ActionButton, IconButton } from '../layout/ActionButton.tsx'
import { ScreenFrame } from '../layout/Screen.tsx'
import { useDialog } from '../layout/useDialog.ts'
import { DataTable } from './DataTable.tsx'
import { ListFooter } from './Pager.tsx'
import { RowActions } from './RowActions.tsx'
import type { DataTableProps, TableColumn, TableSource } from './table-column.ts'
import type { FilterBinding } from './useList.ts'

/** The result of `useList` or `useArray`. */
type ListSource<Row, Sort extends string, Filters> = TableSource<Row, Sort> & {
  setPage?: (page: number) => void
  setPerPage?: (size: number) => void
  filters?: Filters
  filter?: <Name extends keyof Filters & string>(name: Name) => FilterBinding<Filters[Name]>
}

/** A call for one row. */
type RowEndpoint = Endpoint<`${'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}/:id`>

type ListScreenProps<
  Row,
  Sort extends string,
  Filters,
  C extends FormEndpoint,
  U extends RowEndpoint & FormEndpoint,
  CreateControls,
  UpdateControls,
> = Pick<DataTableProps<Row, Sort>, 'tint' | 'rowClass' | 'onOpen'> & {
  title: string
  /** The name of its table, under which the user's layout is stored. */
  table?: string
  list: ListSource<Row, Sort, Filters>
  columns: readonly TableColumn<NoInfer<Row>, NoInfer<Sort>>[]
  /** A control for each visible filter. A name that the list's query does not have does not compile. */
  filters?: { [Name in keyof NoInfer<Filters>]?: FilterControl<NoInfer<Filters>[Name]> }
  create?: {
    call: C
    button: string
    start: FormDraft<NoInfer<C>>
    fields: FormControls<NoInfer<C>, CreateControls>
    onSaved?: (answer: ResponseOf<NoInfer<C>>) => void
  }
  update?: {
    call: U
    title: string
    start: (row: NoInfer<Row>) => FormDraft<NoInfer<U>>
    fields: FormControls<NoInfer<U>, UpdateControls>
    conflict?: FormDialogProps<NoInfer<U>>['conflict']
  }
  remove?: { call: RowEndpoint; details: (row: NoInfer<Row>) => readonly string[] }
  /** Further buttons of a row, before Edit and Delete. */
  actions?: (row: NoInfer<Row>) => ReactNode
  /** The width of all row buttons together, in pixels. */
  actionsWidth?: number
  /** Shown above the filters. */
  notice?: ReactNode
  /** Shown between filters and rows. */
  views?: ReactNode
  /** Keys of the hidden columns. */
  hidden?: ReadonlySet<string>
  /** Further buttons of the list, before the one that creates a row. */
  buttons?: ReactNode
}

/** The standard list screen: filters, columns, dialogs and row actions. */
export function ListScreen<
  Row extends { id: number },
  Sort extends string,
  Filters,
  C extends FormEndpoint,
  U extends RowEndpoint & FormEndpoint,
  CreateControls extends ControlsOf<NoInfer<C>>,
  UpdateControls extends ControlsOf<NoInfer<U>>,
>(props: ListScreenProps<Row, Sort, Filters, C, U, CreateControls, UpdateControls>) {
  const { title, table, list, columns, hidden, filters, views, create, update, remove, actions, buttons, notice } =
    props
  const { actionsWidth = actions ? 160 : 100, tint, rowClass, onOpen } = props
  const me = usePerson().subject
  const creating = useDialog()
  const editing = useDialog<Row>()
  const mayUpdate = update?.call.allow(me)
  const mayRemove = remove?.call.allow(me)

  const actionColumn: TableColumn<Row, Sort> = {
    key: 'actions',
    title: 'Actions',
    width: actionsWidth,
    pinned: 'end',
    cell: (row) => (
      <RowActions>
        {actions?.(row)}
        {mayUpdate && <IconButton label="Edit" icon={IconPencil} onClick={() => editing.open(row)} />}
        {remove && mayRemove && (
          <ActionButton
            call={remove.call}
            input={{ params: { id: row.id } }}
            label="Delete"
            icon={IconTrash}
            details={remove.details(row)}
          />
        )}
      </RowActions>
    ),
  }
  const hasActions = actions !== undefined || mayUpdate || mayRemove

  return (
    <ScreenFrame
      title={title}
      actions={
        <>
          {buttons}
          {create?.call.allow(me) && <Button onClick={() => creating.open(undefined)}>{create.button}</Button>}
        </>
      }
    >
      {notice}
      {filters && <FilterBar list={list}>{renderFilters(list, filters)}</FilterBar>}
      {views}
      <DataTable
        label={title}
        table={table}
        list={list}
        columns={hasActions ? [...columns, actionColumn] : columns}
        hidden={hidden}
        tint={tint}
        rowClass={rowClass}
        onOpen={onOpen}
      />
      <ListFooter list={list} table={table} />
      {create && (
        <FormDialog
          title={create.button}
          call={create.call}
          start={create.start}
          fields={create.fields}
          opened={creating.opened}
          onClose={creating.close}
          {...(create.onSaved ? { onSaved: create.onSaved } : {})}
        />
      )}
      {update && editing.subject && (
        <FormDialog
          title={update.title}
          call={update.call}
          params={{ id: editing.subject.id } as unknown as CallInput<U>['params']} // the one parameter of a `RowEndpoint`
          start={update.start(editing.subject)}
          fields={update.fields}
          {...(update.conflict ? { conflict: update.conflict } : {})}
          opened={editing.opened}
          onClose={editing.close}
        />
      )}
    </ScreenFrame>
  )
}

type FilterControls<Filters> = { [Name in keyof Filters]?: FilterControl<Filters[Name]> }

function renderFilters<Row, Sort extends string, Filters>(
  list: ListSource<Row, Sort, Filters>,
  filters: FilterControls<Filters>,
): ReactNode[] {
  const names = Object.keys(filters) as (keyof Filters & string)[]
  return names.map((name) => {
    const [at, control] = [list.filter?.(name), filters[name]]
    return at && control && <span key={name}>{control(at)}</span>
  })
}
