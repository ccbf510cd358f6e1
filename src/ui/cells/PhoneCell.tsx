import { formatPhone, toDialedPhone } from '#contract/phones.ts'
import { CopyButton, textCell } from './cells.tsx'
import classes from './PhoneCell.module.css'

/** A phone number to dial, in the format of all screens. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <a href={`tel:${toDialedPhone(phone)}`} title={formatPhone(phone)}>
    {formatPhone(phone)}
  </a>
)

/** A phone number to dial and to copy. */
export function PhoneCell({ phone }: { phone: string | null }) {
  if (!phone) return textCell(null)
  return (
    <span className={classes.phone}>
      <PhoneLink phone={phone} />
      <CopyButton value={toDialedPhone(phone) || phone} what="phone" />
    </span>
  )
}
