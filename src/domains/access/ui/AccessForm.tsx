import type { ReactNode } from 'react'
import { pageTitles } from '#contract/pages.ts'
import { type FieldControl, passwordControl, textControl, toggleControl } from '#ui/form/fields.tsx'
import type { CheckListEntry, SelectionMap } from './CheckList.tsx'
import classes from './People.module.css'

/** What the dialogs of admins and of leads handlers share. */

const passwordField = passwordControl('Password')
/** Stands aside for an invitation, unless something was typed already. */
const newPasswordField: FieldControl<string> = Object.assign(
  (...[at, controls]: Parameters<FieldControl<string>>) =>
    at.other('invite') && !at.value ? null : passwordField(at, controls),
  { keepsWhenEmpty: true as const },
)

export const accountFields = {
  username: textControl('Username'),
  email: textControl('Email'),
  password: newPasswordField,
  invite: toggleControl('Send an invitation instead'),
}
export const emptyAccountForm = { username: '', email: '', password: '', invite: 0 as const, pages: {}, campaigns: {} }

type AccountFieldNodes = { password: ReactNode; pages: ReactNode; campaigns: ReactNode }

export const renderNewAccountLayout = (
  shown: AccountFieldNodes & { username: ReactNode; email: ReactNode; invite: ReactNode },
) => (
  <div className={classes.form}>
    {shown.username}
    {shown.email}
    <div className={classes.wide}>{shown.password}</div>
    <div className={classes.wide}>{shown.invite}</div>
    {shown.pages}
    {shown.campaigns}
  </div>
)

/** `move` is the button that changes the role, with a word on what the role is. */
export const createEditAccountLayout = (move: ReactNode) => (shown: AccountFieldNodes) => (
  <div className={classes.form}>
    <div className={classes.wide}>{shown.password}</div>
    {shown.pages}
    {shown.campaigns}
    {move}
  </div>
)

/** What somebody else has ticked meanwhile, in words. */
export const createSelectionFormatter = (campaigns: readonly CheckListEntry[]) => (name: string, value: unknown) => {
  if (name === 'version') return null
  const ticked = Object.keys((value ?? {}) as SelectionMap) // the form's other fields are maps of what is ticked
  const titles: Record<string, string> =
    name === 'pages' ? pageTitles : Object.fromEntries(campaigns.map(({ key, title }) => [key, title]))
  return ticked.map((key) => titles[key] ?? key).join(', ') || null
}
