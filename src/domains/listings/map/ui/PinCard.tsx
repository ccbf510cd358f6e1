import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { getGmbStatusName } from '#domains/listings/gmbs/labels.ts'
import { renderExternalLink, renderPageLink, renderSwatch } from '#ui/cells/cells.tsx'
import { PhoneLink } from '#ui/cells/PhoneCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { useRestoreFocus } from '#ui/layout/restore-focus.ts'
import text from '#ui/theme/text.module.css'
import type { MapPin } from '../contract.ts'
import classes from './CampaignMap.module.css'
import { getStatusColor } from './status-colors.ts'

type PinCardProps = { pins: readonly MapPin[]; onClose: () => void }

/** The details of a pin, or of every pin at one place. */
export function PinCard({ pins, onClose }: PinCardProps) {
  const card = useRef<HTMLElement>(null)
  useRestoreFocus()
  useEffect(() => card.current?.focus(), [])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      const isOfDialog = event.target instanceof Element && event.target.closest('[role=dialog]') !== null
      if (!isOfDialog) onClose()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [onClose])
  return (
    <section
      ref={card}
      className={classes.card}
      data-ringless
      aria-label={pins.length === 1 ? pins[0]?.title : `${pins.length} listings at this place`}
      tabIndex={-1}
    >
      <div className={classes.close}>
        <IconButton label="Close" icon={IconX} onClick={onClose} />
      </div>
      {pins.map((pin) => (
        <PinDetails key={pin.id} pin={pin} />
      ))}
    </section>
  )
}

function PinDetails({ pin }: { pin: MapPin }) {
  const me = useCurrentUser()
  return (
    <article className={classes.about}>
      <h2>
        <RecordLink kind="listing" id={pin.id}>
          {pin.title}
        </RecordLink>
      </h2>
      <p>{renderSwatch(getStatusColor(pin.status), getGmbStatusName(pin.status))}</p>
      {pin.address && <p>{pin.address}</p>}
      {pin.phone && (
        <p>
          <PhoneLink phone={pin.phone} />
        </p>
      )}
      {pin.is_client_location && <p className={text.quiet}>The client’s own location</p>}
      <ul className={arrange.skipEmpty}>
        <li>{gmbsContract.list.allow(me) && renderPageLink('/campaign-gmbs', { search: pin.title }, 'Listing')}</li>
        <li>
          <RecordLink kind="campaign" id={pin.campaign_id}>
            {pin.campaign_name}
          </RecordLink>
        </li>
        <li>{pin.website && renderExternalLink(pin.website, 'Website')}</li>
        <li>{renderExternalLink(pin.link, 'Google Maps')}</li>
      </ul>
    </article>
  )
}
