import type { CSSProperties } from 'react'
import type { AgencyBrand } from '../contract.ts'
import classes from './AgencyHead.module.css'

/** The agency's name, color and logo at the top of a client-facing page. */
export function AgencyHead({ agency }: { agency: AgencyBrand }) {
  return (
    <div className={classes.head} style={{ '--agency': agency.color } as CSSProperties /* a custom property */}>
      {agency.logo && <img className={classes.logo} src={agency.logo} alt="" />}
      <span className={classes.name}>{agency.name}</span>
    </div>
  )
}
