import type { ReactNode } from 'react'
import classes from './PublicPage.module.css'

/** All that a page without sign-in has to say: that its link is not valid, or a question. */
export const PublicNotice = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <div className={classes.notice}>
    <h1>{title}</h1>
    {children}
  </div>
)

export const PublicLoading = () => <p role="status" className={classes.wait} aria-label="Loading" />
