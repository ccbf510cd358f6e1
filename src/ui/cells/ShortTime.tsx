import text from '#ui/theme/text.module.css'
import { formatInstant, formatShortTime } from './timestamps.ts'

/** An instant (ISO 8601) in two-line rows, cards and Home: in few letters, and whole in its title. */
export function ShortTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)} className={text.oneLine}>
      {formatShortTime(at)}
    </time>
  )
}
