import { type ReactNode, useEffect } from 'react'
import classes from './Screen.module.css'

type ScreenFrameProps = {
  title: string
  /** Stands beside the title, in a place of its own that is kept: what comes later moves nothing. */
  notice?: ReactNode
  /** Stands for the title where that is more than text, such as a way back. */
  heading?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a screen: its title, its buttons, and what it shows. */
export function ScreenFrame({ title, notice, heading, actions, children }: ScreenFrameProps) {
  useDocumentTitle(title)
  return (
    <div className={classes.screen}>
      <header className={classes.head}>
        {notice ? (
          <div className={classes.title}>
            <h1>{title}</h1>
            {notice}
          </div>
        ) : (
          <h1>{heading || title}</h1>
        )}
        <div className={classes.actions}>{actions}</div>
      </header>
      {children}
    </div>
  )
}

/** Names the browser's tab. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Leadline`
  }, [title])
}
