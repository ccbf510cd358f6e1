import text from '../theme/text.module.css'
import 'leaflet/dist/leaflet.css'
import type { RefObject } from 'react'
import { appConfig } from '../data/environment.ts'
import classes from './MapFrame.module.css'

type MapFrameProps = { place: RefObject<HTMLDivElement | null>; lacksTiles: boolean }

/** The frame of a map: fills its container, shows the attribution of its tiles, and a message when they do not load. */
export function MapFrame({ place, lacksTiles }: MapFrameProps) {
  const { mapAttribution } = appConfig
  return (
    <>
      <div ref={place} className={classes.map} data-ring-inside role="application" aria-label="Map" />
      <p className={`${classes.credits} ${text.prose}`}>
        {mapAttribution.includes('OpenStreetMap') ? (
          <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer noopener">
            {mapAttribution}
          </a>
        ) : (
          mapAttribution
        )}
      </p>
      {lacksTiles && (
        <p className={classes.lacking} role="status">
          The map images cannot be loaded. Everything else works.
        </p>
      )}
    </>
  )
}
