import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import classes from './Screen.module.css'

type ScreenFrameProps = {
  title: string
  /** Stands beside the title, in a place of its own that is kept: what comes later moves nothing. */
  notice?: ReactNode
  /** Stands for the title where that is more than text, such as a way back. */
  heading?: ReactNode
  /** The last one is the main one: a phone shows it first, and the others when asked. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a screen: its title, its buttons, and what it shows. */
export function ScreenFrame({ title, notice, heading, actions, children }: ScreenFrameProps) {
  useDocumentTitle(title)
  const [isOpen, setOpen] = useState(false)
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
        <div className={classes.actions} data-open={isOpen || undefined}>
          {actions}
          <Button variant="default" className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fewer actions' : 'More actions'}
          </Button>
        </div>
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
