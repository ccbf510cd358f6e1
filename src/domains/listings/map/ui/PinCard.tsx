import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useMe } from '#domains/access/ui/current-user.ts'
import { campaigns } from '#domains/campaigns/contract.ts'
import { gmbs } from '#domains/listings/gmbs/contract.ts'
import { statusName } from '#domains/listings/gmbs/labels.ts'
import { external, link, swatch } from '#ui/cells/cells.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import type { Pin } from '../contract.ts'
import classes from './CampaignMap.module.css'
import { statusColour } from './status-colors.ts'

type Props = { pins: readonly Pin[]; onClose: () => void }

/** What a pin stands for, or each of those at one place. */
export function PinCard({ pins, onClose }: Props) {
  const card = useRef<HTMLElement>(null)
  useFocusBack()
  useEffect(() => card.current?.focus(), [])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [onClose])
  return (
    <section
      ref={card}
      className={classes.card}
      aria-label={pins.length === 1 ? pins[0]?.title : `${pins.length} listings at this place`}
      tabIndex={-1}
    >
      <div className={classes.close}>
        <IconButton label="Close" onClick={onClose}>
          <IconX size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {pins.map((pin) => (
        <About key={pin.id} pin={pin} />
      ))}
    </section>
  )
}

function About({ pin }: { pin: Pin }) {
  const me = useMe()
  return (
    <article className={classes.about}>
      <h2>{pin.title}</h2>
      <p>{swatch(statusColour(pin.status), statusName(pin.status))}</p>
      {pin.address && <p>{pin.address}</p>}
      {pin.phone && (
        <p>
          <a href={`tel:${pin.phone}`}>{pin.phone}</a>
        </p>
      )}
      {pin.is_client_location && <p className={classes.quiet}>The client’s own location</p>}
      <ul>
        <li>{gmbs.list.allow(me) && link('/campaign-gmbs', { search: pin.title }, 'Listing')}</li>
        <li>{campaigns.list.allow(me) && link('/campaigns', { q: pin.campaign_name }, pin.campaign_name)}</li>
        <li>{pin.website && external(pin.website, 'Website')}</li>
        <li>{external(pin.link, 'Google Maps')}</li>
      </ul>
    </article>
  )
}
