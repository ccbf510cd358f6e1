import { type ReactNode, useRef, useState } from 'react'
import { setClockFormat } from '#ui/cells/clock.ts'
import { guestPerson, PersonContext, type PersonSettings, type SavedTableLayout } from '#ui/data/person.ts'
import { useAction } from '#ui/data/useAction.ts'
import { preferencesContract } from '../preferences/contract.ts'
import type { CurrentUserDto } from '../sign-in/contract.ts'
import { cacheCurrentUser, useCurrentUserOfAnySession } from './current-user.ts'

type PersonProviderProps = {
  findFirstScreen: (me: CurrentUserDto) => PersonSettings['firstScreen']
  children: ReactNode
}

/** Passes the signed-in person to the toolkit. Their changes show immediately and are saved on the server. */
export function PersonProvider({ findFirstScreen, children }: PersonProviderProps) {
  const me = useCurrentUserOfAnySession()
  setClockFormat(me?.time_format ?? '24h')
  const cacheOptimistically = (change: (me: CurrentUserDto) => Partial<CurrentUserDto>) => {
    if (!me) return () => {}
    cacheCurrentUser({ ...me, ...change(me) })
    return () => cacheCurrentUser(me)
  }
  const cacheHiddenColumns = (view: string, hidden_columns: string[]) =>
    cacheOptimistically((known) => ({
      hidden_columns: [{ view, hidden_columns }, ...known.hidden_columns.filter((other) => other.view !== view)],
      chosen_views: [view, ...known.chosen_views.filter((other) => other !== view)],
    }))
  // In a view as another person nothing is saved, but the viewer may still move and hide columns.
  const isView = me?.seen_by != null
  const tables = useAction(preferencesContract.saveTable)
  /** The layouts that are not saved yet. A held key makes many: one is saved at a time, then the last of those since. */
  const [layouts, setLayouts] = useState<CurrentUserDto['tables']>({})
  const latest = useRef(layouts)
  const turn = useRef(Promise.resolve())
  const showLayouts = (next: typeof layouts) => {
    latest.current = next
    setLayouts(next)
  }
  async function saveLayout(table: string, layout: SavedTableLayout) {
    if (latest.current[table] !== layout) return
    const outcome = await tables.run({ body: { table, ...layout } })
    if (outcome.done) cacheCurrentUser(outcome.answer)
    if (latest.current[table] !== layout) return
    const { [table]: _, ...others } = latest.current
    showLayouts(others)
  }
  const columns = useAction(preferencesContract.saveColumns, {
    optimistic: (input) => {
      const { view = '', hidden_columns = '' } = input?.query ?? {}
      return cacheHiddenColumns(view, hidden_columns.split(',').filter(Boolean))
    },
  })
  return (
    <PersonContext
      value={{
        id: me?.id ?? null,
        subject: me,
        firstScreen: me ? findFirstScreen(me) : guestPerson.firstScreen,
        isView,
        tableLayouts: { ...me?.tables, ...layouts },
        saveTableLayout: (table, layout) => {
          if (isView) return void cacheOptimistically((known) => ({ tables: { ...known.tables, [table]: layout } }))
          showLayouts({ ...latest.current, [table]: layout })
          turn.current = turn.current.then(() => saveLayout(table, layout))
        },
        hiddenColumns: (view) => me?.hidden_columns.find((saved) => saved.view === view)?.hidden_columns ?? [],
        saveHiddenColumns: (view, keys) =>
          isView
            ? void cacheHiddenColumns(view, [...keys])
            : void columns.run({ query: { view, hidden_columns: keys.join(',') } }),
      }}
    >
      {children}
    </PersonContext>
  )
}
