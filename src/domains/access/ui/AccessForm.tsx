import type { ReactNode } from 'react'
import { pageTitles } from '#contract/pages.ts'
import { type FieldControl, passwordControl, textControl, toggleControl } from '#ui/form/fields.tsx'
import type { CheckListEntry, SelectionMap } from './CheckList.tsx'
import classes from './People.module.css'

/** Shared by the dialogs of admins and leads handlers. */

const passwordField = passwordControl('Password')
/** Hidden for an invitation, unless something was typed already. */
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
