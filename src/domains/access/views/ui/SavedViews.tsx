import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useAction } from '#ui/data/useAction.ts'
import { TabList } from '#ui/layout/Tabs.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import { type SavedView, type ViewForm, viewsContract } from '../contract.ts'
import { useViews, wholeListView } from './chosen-view.ts'
import classes from './SavedViews.module.css'
import {
  getViewState,
  isSameState,
  readAddressState,
  type ViewedList,
  type ViewState,
  writeViewAddress,
} from './view-address.ts'

const ViewMenu = lazyComponent(() => import('./ViewMenu.tsx'))
const NewViewDialog = lazyComponent(async () => {
  const { NewViewDialog } = await loadPart(() => import('./ViewDialogs.tsx'))
  return { default: NewViewDialog }
})

type SavedViewsProps = {
  table: string
  list: ViewedList
  /** How many rows the list shows now. */
  total: number | undefined
  /** The visible columns in order, if the list lets people choose them. */
  columns?: readonly string[]
}

/** The views of a list as tabs above it, if there are any; the user's default first. */
export function SavedViews({ table, list, total, columns = [] }: SavedViewsProps) {
  const [search, write] = useSearchParams()
  const views = useViews(table)
  const saving = useDialog<Pick<ViewForm, 'table' | 'query' | 'columns' | 'sort' | 'order'>>()
  const update = useAction(viewsContract.update)
  const chosen = views?.find(({ id }) => String(id) === search.view)
  const hasDefault = views?.some((view) => view.default) ?? false
  const now = readAddressState(search, list)
  const isChanged =
    !isSameState(now, getViewState(chosen, list)) ||
    (chosen !== undefined &&
      chosen.columns.length > 0 &&
      columns.length > 0 &&
      chosen.columns.join() !== columns.join())

  const show = (view: SavedView | undefined, replace?: boolean) => {
    const name = view ? String(view.id) : hasDefault ? wholeListView : undefined
    write((before) => writeViewAddress(before, name, getViewState(view, list), list), replace)
  }

  // Opening the list without parameters shows the user's default view.
  const [wasBare] = useState(() => Object.keys(search).length === 0)
  const hasBegun = useRef(!wasBare)
  useEffect(() => {
    if (!views || hasBegun.current) return
    hasBegun.current = true
    const first = views.find((view) => view.default)
    if (first && Object.keys(search).length === 0) show(first, true)
  })

  const countOf = (view: SavedView | undefined) => {
    const isShown = view?.id === chosen?.id && !isChanged
    // The count of the current view comes with its rows.
    return isShown ? (total ?? null) : undefined
  }
  const toTab = (view: SavedView | undefined) => ({
    value: view ? String(view.id) : wholeListView,
    label: (
      <>
        <span>{view?.name ?? 'All'}</span>
        <ViewCount table={table} list={list} state={getViewState(view, list)} known={countOf(view)} />
      </>
    ),
  })
  const first = views?.filter((view) => view.default) ?? []
  const others = views?.filter((view) => !view.default) ?? []
  const hasViews = (views?.length ?? 0) > 0
  if (!hasViews && !isChanged) return null
  return (
    <div className={classes.views} data-unprinted>
      {hasViews && (
        <TabList
          label="Views"
          isSmall
          tabs={[...first.map(toTab), toTab(undefined), ...others.map(toTab)]}
          chosen={chosen ? String(chosen.id) : wholeListView}
          choose={(value) => show(views?.find(({ id }) => String(id) === value))}
        />
      )}
      {isChanged && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => saving.open({ table, ...now, columns: [...columns] })}
        >
          Save view
        </Button>
      )}
      {isChanged && chosen?.may_change && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={update.running}
          onClick={() =>
            void update.run({
              params: { id: chosen.id },
              body: { ...now, ...(columns.length > 0 && { columns: [...columns] }) },
            })
          }
        >
          Update “{chosen.name}”
        </Button>
      )}
      {chosen && (
        <Suspense>
          <ViewMenu view={chosen} onRemoved={() => show(undefined)} />
        </Suspense>
      )}
      {saving.subject && (
        <Suspense>
          <NewViewDialog
            key={saving.opened ? 'open' : 'closed'}
            form={saving.subject}
            opened={saving.opened}
            onClose={saving.close}
            onSaved={show}
          />
        </Suspense>
      )}
    </div>
  )
}

const countKeptMs = 30_000

type ViewCountProps = {
  table: string
  list: ViewedList
  state: ViewState
  /** The count, if the list shows these rows; null if not needed. */
  known: number | undefined | null
}

/** The row count of a view. Cached for a while, so that a verdict on a lead does not recount all views. */
function ViewCount({ table, list, state, known }: ViewCountProps) {
  const query = { ...list.start, ...state.query }
  const { data } = useQuery({
    queryKey: [['view'], 'count', table, query],
    queryFn: ({ signal }) => list.count(query, signal),
    enabled: known === undefined,
    staleTime: countKeptMs,
    meta: { quiet: true },
  })
  const count = known ?? data
  return count === undefined ? null : (
    <span className={`${text.smaller} ${text.light} ${text.numbers}`}>{count.toLocaleString('en-US')}</span>
  )
}
