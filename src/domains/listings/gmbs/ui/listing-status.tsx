import type { ReactNode } from 'react'
import { verificationStatusLabels } from '#domains/listings/google/labels.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import type { Gmb } from '../contract.ts'
import { getGmbStatusName, isNotFound, notFoundStatusName, suspendedStatus } from '../labels.ts'
import classes from './Gmbs.module.css'
import { renderSince } from './listing-cells.tsx'

const statusBadgeKinds: Record<number, 'ok' | 'warn' | 'bad' | 'neutral'> = {
  1: 'ok',
  2: 'warn',
  3: 'warn',
  4: 'bad',
  5: 'neutral',
}

/** Shows one status: the one set by staff, unless Google Maps no longer shows the listing. */
export function renderListingStatus(gmb: Gmb): ReactNode {
  const { status, suspended_at, standing, gone_at } = gmb
  if (isNotFound(gmb))
    return (
      <>
        {renderBadge('bad', notFoundStatusName)}
        {renderSince(gone_at)}
        <span className={classes.reason}>Set as {getGmbStatusName(status)}</span>
      </>
    )
  return (
    <>
      {renderBadge(statusBadgeKinds[status] ?? 'neutral', getGmbStatusName(status))}
      {status === suspendedStatus && renderSince(suspended_at)}
      {standing && standing !== 'active' && (
        <span className={classes.reason}>
          {status === suspendedStatus && standing === 'suspended'
            ? 'by Google'
            : `Google: ${verificationStatusLabels[standing]}`}
        </span>
      )}
    </>
  )
}
