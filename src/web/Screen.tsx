import { type ReactNode, useEffect } from 'react'
import classes from './Screen.module.css'

/** The frame of a screen: its title, its buttons, and what it shows. */
export function Screen({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useTitle(title)
  return (
    <div className={classes.screen}>
      <header className={classes.head}>
        <h1>{title}</h1>
        <div className={classes.actions}>{actions}</div>
      </header>
      {children}
    </div>
  )
}

/** Names the browser's tab. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Leadline`
  }, [title])
}
