import type { ReactNode } from 'react'
import { password, text } from '#web/fields.tsx'
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
