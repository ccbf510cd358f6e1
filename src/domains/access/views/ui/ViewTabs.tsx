import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'
import { usePerson } from '#ui/data/person.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useAction } from '#ui/data/useAction.ts'
import { isKeyTaken, type ShortcutList, useShortcuts } from '#ui/layout/shortcuts.ts'
import { TabList } from '#ui/layout/Tabs.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { omitParams } from '#ui/table/list-address.ts'
import text from '#ui/theme/text.module.css'
import { type SavedView, type ViewForm, viewsContract } from '../contract.ts'
import { useViews, wholeListView } from './chosen-view.ts'
import { keepLastView, readLastView } from './last-view.ts'
import classes from './SavedViews.module.css'
import {
  getViewState,
  isSameState,
  readAddressState,
  type ViewedList,
  type ViewState,
  writeViewAddress,
} from './view-address.ts'
import type { SavedViewsProps, ViewPreset } from './view-tabs.ts'

const wholeList: ViewPreset = { value: wholeListView, name: 'All', query: {} }
const onlyWholeList = [wholeList]

const ViewMenu = lazyComponent(() => import('./ViewMenu.tsx'))
const NewViewDialog = lazyComponent(async () => {
  const { NewViewDialog } = await loadPart(() => import('./ViewDialogs.tsx'))
  return { default: NewViewDialog }
})

/** The views of a list as tabs above it; the user's default first. Where there is one view, there are no tabs. */
export default function ViewTabs({ table, list, total, columns = [], presets = onlyWholeList, note }: SavedViewsProps) {
  const [search, write] = useSearchParams()
  const person = usePerson().id
  const views = useViews(table)
  const saving = useDialog<Pick<ViewForm, 'table' | 'query' | 'columns' | 'sort' | 'order'>>()
  const update = useAction(viewsContract.update)
  const chosen = views?.find(({ id }) => String(id) === search.view)
  const hasDefault = views?.some((view) => view.default) ?? false
  const isPreset = ({ query }: ViewPreset) =>
    Object.entries(query).every(([name, value]) => (search[name] ?? list.start[name]) === value)
  const preset = presets.find(isPreset) ?? presets.at(-1) ?? wholeList
  const address = readAddressState(search, list)
  const now = chosen ? address : { ...address, query: { ...preset.query, ...address.query } }
  const isChanged =
    !isSameState(now, { ...getViewState(chosen, list), ...(!chosen && { query: preset.query }) }) ||
    (chosen !== undefined &&
      chosen.columns.length > 0 &&
      columns.length > 0 &&
      chosen.columns.join() !== columns.join())

  function show(view: SavedView, replace?: boolean) {
    write((before) => writeViewAddress(before, String(view.id), getViewState(view, list), list), replace)
  }
  /** From one preset to another the filters stay, those of a saved view do not. */
  function showPreset({ query }: ViewPreset) {
    const name = hasDefault ? wholeListView : undefined
    const isLeftView = chosen !== undefined || presets.length === 1
    const state = isLeftView ? getViewState(undefined, list) : address
    const kept = omitParams(
      state.query,
      presets.flatMap((one) => Object.keys(one.query)),
    )
    write((before) => writeViewAddress(before, name, { ...state, query: { ...kept, ...query } }, list))
  }

  // Opening the list without parameters shows the user's default view, or the view that they left it with.
  const [wasBare] = useState(() => Object.keys(search).length === 0)
  const hasBegun = useRef(!wasBare)
  useEffect(() => {
    if (!views || hasBegun.current) return
    hasBegun.current = true
    const last = presets.length > 1 ? readLastView(person, table) : null
    const first = views.find((view) => view.default) ?? views.find(({ id }) => String(id) === last)
    if (first && Object.keys(search).length === 0) show(first, true)
  })
  const left = chosen ? String(chosen.id) : preset.value
  useEffect(() => {
    if (views && hasBegun.current && presets.length > 1) keepLastView(person, table, hasDefault ? null : left)
  }, [views, presets.length, person, table, hasDefault, left])

  const countOf = (isShown: boolean) => {
    // The count of the current view comes with its rows.
    return isShown && !isChanged ? (total ?? null) : undefined
  }
  const toTab = (view: SavedView) => ({
    value: String(view.id),
    label: (
      <>
        <span>{view.name}</span>
        <ViewCount table={table} list={list} state={getViewState(view, list)} known={countOf(view === chosen)} />
      </>
    ),
  })
  const toPresetTab = ({ value, name, query, count }: ViewPreset) => ({
    value,
    label: (
      <>
        <span>{name}</span>
        <ViewCount
          table={table}
          list={list}
          state={{ ...getViewState(undefined, list), query }}
          known={count ?? (presets.length > 1 ? null : countOf(!chosen))}
        />
      </>
    ),
  })
  const first = views?.filter((view) => view.default) ?? []
  const others = views?.filter((view) => !view.default) ?? []
  const tabs = [...first.map(toTab), ...presets.map(toPresetTab), ...others.map(toTab)]
  function choose(value: string) {
    const view = views?.find(({ id }) => String(id) === value)
    if (view) show(view)
    else showPreset(presets.find((one) => one.value === value) ?? wholeList)
  }
  useTabKeys(tabs.length > 1, (step) => {
    const at = tabs.findIndex(({ value }) => value === left)
    choose(tabs.at((at + step) % tabs.length)!.value)
  })
  if (tabs.length === 1 && !isChanged) return null
  return (
    <div className={classes.views} data-unprinted>
      {tabs.length > 1 && <TabList label="Views" isSmall tabs={tabs} chosen={left} choose={choose} />}
      <span role="status" className={`${text.smaller} ${text.quiet} ${text.numbers}`}>
        {note}
      </span>
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
          <ViewMenu view={chosen} onRemoved={() => showPreset(presets.at(-1) ?? wholeList)} />
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

const tabKeys: ShortcutList = { title: 'Views', shortcuts: [{ key: '[ ]', label: 'Previous or next view' }] }

/** Switches between the views with `[` and `]`. */
function useTabKeys(isOn: boolean, move: (step: 1 | -1) => void) {
  useShortcuts(isOn ? tabKeys : null)
  const latest = useRef(move)
  useEffect(() => {
    latest.current = move
  })
  useEffect(() => {
    if (!isOn) return
    const press = (event: KeyboardEvent) => {
      const step = event.key === ']' ? 1 : event.key === '[' ? -1 : undefined
      if (step && !isKeyTaken(event)) latest.current(step)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn])
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
