import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { useAgencyName } from '../data/environment.ts'
import classes from './Screen.module.css'

type ScreenFrameProps = {
  title: string
  /** Shown next to the title, in reserved space, so that nothing moves when it appears. */
  notice?: ReactNode
  /** Replaces the title where it is more than text, such as a link back. */
  heading?: ReactNode
  /** The last one is the main action: a phone shows it first, and the others on request. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a screen: its title, its actions, and its content. */
export function ScreenFrame({ title, notice, heading, actions, children }: ScreenFrameProps) {
  useDocumentTitle(title)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={classes.screen}>
      <header className={classes.head}>
        {notice ? (
          <div className={classes.title}>
            <h1 className={`${arrange.still} ${text.breaking}`}>{title}</h1>
            {notice}
          </div>
        ) : (
          <h1 className={text.breaking}>{heading || title}</h1>
        )}
        <div className={`${arrange.row} ${classes.actions}`} data-unprinted data-open={isOpen || undefined}>
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

/** Sets the title of the browser tab. */
export function useDocumentTitle(title: string) {
  const agencyName = useAgencyName()
  useEffect(() => {
    document.title = `${title} · ${agencyName}`
  }, [title, agencyName])
}
