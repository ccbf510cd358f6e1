import { Fragment } from 'react'
import { partsOf } from './search.ts'
import classes from './UserGuide.module.css'

type Props = { text: string; hits: readonly string[] }

/** A line of the guide: **words** of the screen bold, `keys` as keys, and what was looked for marked. */
export function Words({ text, hits }: Props) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((piece, index) => {
    const at = `${index} ${piece}`
    if (piece.startsWith('**')) return <b key={at}>{marked(piece.slice(2, -2), hits)}</b>
    if (piece.startsWith('`')) return <kbd key={at}>{piece.slice(1, -1)}</kbd>
    return <Fragment key={at}>{marked(piece, hits)}</Fragment>
  })
}

/** The same without what is bold, for a line in a list. */
export const PlainWords = ({ text, hits }: Props) => marked(text, hits)

const marked = (text: string, hits: readonly string[]) =>
  partsOf(text, hits).map((part, index) =>
    part.hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the line.
      <mark key={index} className={classes.hit}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
