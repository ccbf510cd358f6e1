import type { ReactNode } from 'react'
import type { AgencyBrand } from '../contract.ts'
import classes from './AgencyHead.module.css'

/** The agency's logo and name at the top of a page for clients, inside an element with `getAgencyLook`; `children` on the right. */
export function AgencyHead({ agency, children }: { agency: Pick<AgencyBrand, 'name' | 'logo'>; children?: ReactNode }) {
  return (
    <div className={classes.head}>
      {agency.logo && <img className={classes.logo} data-logo src={agency.logo} alt="" />}
      <span className={classes.name}>{agency.name}</span>
      {children && <div className={classes.aside}>{children}</div>}
    </div>
  )
}
