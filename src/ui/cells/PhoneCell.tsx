import { CopyButton, textCell } from './cells.tsx'
import classes from './PhoneCell.module.css'
import { formatPhone, toDialedPhone } from './phones.ts'

/** A phone to dial, in the one format of all screens. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <a href={`tel:${toDialedPhone(phone)}`} title={formatPhone(phone)}>
    {formatPhone(phone)}
  </a>
)

/** A phone to dial and to copy. */
export function PhoneCell({ phone }: { phone: string | null }) {
  if (!phone) return textCell(null)
  return (
    <span className={classes.phone}>
      <PhoneLink phone={phone} />
      <CopyButton value={toDialedPhone(phone) || phone} what="phone" />
    </span>
  )
}
