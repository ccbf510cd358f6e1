import type { ReactNode } from 'react'
import { setClockFormat } from '#ui/cells/clock.ts'
import { guestPerson, PersonContext, type PersonSettings } from '#ui/data/person.ts'
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
  const tables = useAction(preferencesContract.saveTable, {
    optimistic: ({ body: { table, ...layout } }) =>
      cacheOptimistically((known) => ({ tables: { ...known.tables, [table]: layout } })),
  })
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
        tableLayouts: me?.tables ?? {},
        saveTableLayout: (table, layout) =>
          isView
            ? void cacheOptimistically((known) => ({ tables: { ...known.tables, [table]: layout } }))
            : void tables.run({ body: { table, ...layout } }),
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
