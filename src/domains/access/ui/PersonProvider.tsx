import type { ReactNode } from 'react'
import { PersonContext } from '#ui/data/person.ts'
import { useAction } from '#ui/data/useAction.ts'
import { type CurrentUserDto, sessionContract, type TableName } from '../sign-in/contract.ts'
import { cacheCurrentUser, useCurrentUser } from './current-user.ts'

/** Hands the signed-in person to the toolkit. What they change is shown at once and kept on the server. */
export function PersonProvider({ children }: { children: ReactNode }) {
  const me = useCurrentUser()
  const cacheOptimistically = (change: (me: CurrentUserDto) => Partial<CurrentUserDto>) => {
    if (!me) return () => {}
    cacheCurrentUser({ ...me, ...change(me) })
    return () => cacheCurrentUser(me)
  }
  const tables = useAction(sessionContract.saveTable, {
    optimistic: ({ body: { table, ...layout } }) =>
      cacheOptimistically((known) => ({ tables: { ...known.tables, [table]: layout } })),
  })
  const columns = useAction(sessionContract.saveColumns, {
    optimistic: (input) => {
      const { view = '', hidden_columns = '' } = input?.query ?? {}
      const saved = { view, hidden_columns: hidden_columns.split(',').filter(Boolean) }
      return cacheOptimistically((known) => ({
        hidden_columns: [saved, ...known.hidden_columns.filter((other) => other.view !== view)],
      }))
    },
  })
  return (
    <PersonContext
      value={{
        subject: me,
        tableLayouts: me?.tables ?? {},
        // A table's name is checked by the server; screens take theirs from the same list.
        saveTableLayout: (table, layout) => void tables.run({ body: { table: table as TableName, ...layout } }),
        hiddenColumns: (view) => me?.hidden_columns.find((saved) => saved.view === view)?.hidden_columns ?? [],
        saveHiddenColumns: (view, keys) => void columns.run({ query: { view, hidden_columns: keys.join(',') } }),
      }}
    >
      {children}
    </PersonContext>
  )
}
