import { Fragment } from 'react'
import { splitByTerms } from './search.ts'
import classes from './UserGuide.module.css'

type GuideTextProps = { text: string; hits: readonly string[] }

/** A line of the guide: **words** of the screen bold, `keys` as keys, and what was looked for marked. */
export function GuideText({ text, hits }: GuideTextProps) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((piece, index) => {
    const at = `${index} ${piece}`
    if (piece.startsWith('**')) return <b key={at}>{highlightTerms(piece.slice(2, -2), hits)}</b>
    if (piece.startsWith('`')) return <kbd key={at}>{piece.slice(1, -1)}</kbd>
    return <Fragment key={at}>{highlightTerms(piece, hits)}</Fragment>
  })
}

/** The same without what is bold, for a line in a list. */
export const PlainGuideText = ({ text, hits }: GuideTextProps) => highlightTerms(text, hits)

const highlightTerms = (text: string, hits: readonly string[]) =>
  splitByTerms(text, hits).map((part, index) =>
    part.hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the line.
      <mark key={index} className={classes.hit}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
