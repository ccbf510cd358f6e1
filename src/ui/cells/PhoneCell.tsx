import type { ReactNode } from 'react'
import { formatPhone, isWithheldPhone, toDialedPhone, toTelUrl } from '#contract/read-phone.ts'
import text from '../theme/text.module.css'
import classes from './cells.module.css'
import { CopyButton, textCell } from './cells.tsx'

/** Returns what is copied of a phone number, by its button and by Ctrl C in its cell. */
const toCopiedPhone = (phone: string) => (isWithheldPhone(phone) ? phone : toDialedPhone(phone) || phone)

/** A phone number in the format of all screens: a link if it can be dialed. */
export function PhoneLink({ phone }: { phone: string }) {
  const shown = formatPhone(phone)
  const url = toTelUrl(phone)
  return url === null ? (
    <span title={shown} data-copies={toCopiedPhone(phone)}>
      {renderPhone(phone)}
    </span>
  ) : (
    <a href={url} title={shown} data-copies={toCopiedPhone(phone)}>
      {renderPhone(phone)}
    </a>
  )
}

/** Shows a phone number in the format of all screens: never broken, but before an extension or a word. */
export const renderPhone = (phone: string): ReactNode =>
  formatPhone(phone)
    .split(/(\+?[\d(][\d ().-]*\d)/)
    .map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same number has the same parts.
        <span key={index} className={text.oneLine}>
          {part}
        </span>
      ),
    )

/** A phone number to dial and to copy. */
export function PhoneCell({ phone }: { phone: string | null }) {
  if (!phone) return textCell(null)
  return (
    <span className={classes.copyable}>
      <PhoneLink phone={phone} />
      {!isWithheldPhone(phone) && <CopyButton value={toCopiedPhone(phone)} what="phone" />}
    </span>
  )
}
