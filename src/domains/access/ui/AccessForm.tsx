import type { ReactNode } from 'react'
import { pageTitles } from '#contract/pages.ts'
import type { CheckListEntry, SelectionMap } from './CheckList.tsx'
import classes from './People.module.css'

/** Shared by the dialogs that edit admins and leads handlers. */

type AccountFieldNodes = { password: ReactNode; pages: ReactNode; campaigns: ReactNode }

/** `move` shows the role, with a button to change it. */
export const createEditAccountLayout = (move: ReactNode) => (shown: AccountFieldNodes) => (
  <div className={classes.form}>
    <div className={classes.wide}>{shown.password}</div>
    {shown.pages}
    {shown.campaigns}
    {move}
  </div>
)

/** Formats what someone else has ticked in the meantime. */
export const createSelectionFormatter = (campaigns: readonly CheckListEntry[]) => (name: string, value: unknown) => {
  if (name === 'version') return null
  const ticked = Object.keys((value ?? {}) as SelectionMap) // the form's other fields are selection maps
  const titles: Record<string, string> =
    name === 'pages' ? pageTitles : Object.fromEntries(campaigns.map(({ key, title }) => [key, title]))
  return ticked.map((key) => titles[key] ?? key).join(', ') || null
}
