import classes from './cells.module.css'
import { CopyButton, textCell } from './cells.tsx'

/** A text whose emails are broken, where there is no room for them, after @ or a point and nowhere else. */
export function EmailText({ children }: { children: string }) {
  return children.split(/(\S+@\S+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same text has the same parts.
      <span key={index} className={classes.email}>
        {part.split(/(?<=[@.])(?=.)/).map((piece, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <span key={place}>{piece}</span>
        ))}
      </span>
    ),
  )
}

/** An email to write to. */
export const EmailLink = ({ email }: { email: string }) => (
  // Its parts are boxes of their own, which a screen reader would read apart.
  <a href={`mailto:${email}`} aria-label={email}>
    <EmailText>{email}</EmailText>
  </a>
)

/** An email to write to and to copy; `what` names it where a row has two. */
export function EmailCell({ email, what = 'email' }: { email: string | null | undefined; what?: string }) {
  if (!email) return textCell(null)
  return (
    <span className={classes.copyable}>
      <EmailLink email={email} />
      <CopyButton value={email} what={what} />
    </span>
  )
}
