import { IconFileInfo } from '@tabler/icons-react'
import { RecordLink } from './RecordLink.tsx'
import classes from './RecordPage.module.css'

/** Links to a site's page, next to its URL, which opens the site. */
export function SitePageLink({ kind, id }: { kind: 'client_site' | 'network_site'; id: number }) {
  return (
    <RecordLink kind={kind} id={id} label="Site page">
      <IconFileInfo size={14} aria-hidden="true" className={classes.icon} />
    </RecordLink>
  )
}
