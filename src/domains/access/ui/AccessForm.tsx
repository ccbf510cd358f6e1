import type { ReactNode } from 'react'
import { pageTitles } from '#contract/pages.ts'
import { password, text } from '#ui/form/fields.tsx'
import type { Entry, Ticks } from './CheckList.tsx'
import classes from './People.module.css'

/** What the dialogs of admins and of leads handlers share. */

export const accountFields = { username: text('Username'), email: text('Email'), password: password('Password') }
export const newAccount = { username: '', email: '', password: '', pages: {}, campaigns: {} }

type Parts = { password: ReactNode; pages: ReactNode; campaigns: ReactNode }

export const newLayout = (shown: Parts & { username: ReactNode; email: ReactNode }) => (
  <div className={classes.form}>
    {shown.username}
    {shown.email}
    <div className={classes.wide}>{shown.password}</div>
    {shown.pages}
    {shown.campaigns}
  </div>
)

/** `move` is the button that changes the role, with a word on what the role is. */
export const changeLayout = (move: ReactNode) => (shown: Parts) => (
  <div className={classes.form}>
    <div className={classes.wide}>{shown.password}</div>
    {shown.pages}
    {shown.campaigns}
    {move}
  </div>
)

/** What somebody else has ticked meanwhile, in words. */
export const ticksInWords = (campaigns: readonly Entry[]) => (name: string, value: unknown) => {
  if (name === 'version') return null
  const ticked = Object.keys((value ?? {}) as Ticks) // the form's other fields are maps of what is ticked
  const titles: Record<string, string> =
    name === 'pages' ? pageTitles : Object.fromEntries(campaigns.map(({ key, title }) => [key, title]))
  return ticked.map((key) => titles[key] ?? key).join(', ') || null
}
