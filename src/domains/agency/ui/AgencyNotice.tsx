import type { ReactNode } from 'react'
import { appConfig } from '#ui/data/environment.ts'
import { AgencyHead } from './AgencyHead.tsx'
import classes from './AgencyNotice.module.css'

/** All that a page without sign-in has to say, in the agency's look: that its link is not valid, or a question. */
export function AgencyNotice({ title, children }: { title: ReactNode; children?: ReactNode }) {
  const { agencyName, agencyLogo = null, agencyColors } = appConfig
  return (
    <div data-agency={agencyColors && true} style={agencyColors}>
      <AgencyHead agency={{ name: agencyName, logo: agencyLogo }} />
      <div className={classes.notice}>
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  )
}
