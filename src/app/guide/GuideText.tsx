import { Fragment } from 'react'
import type { GuideInline } from './guide-page.ts'
import { splitByTerms } from './search.ts'
import classes from './UserGuide.module.css'

type GuideTextProps = { text: readonly GuideInline[]; hits: readonly string[] }

/** A line of the guide: screen names in bold, keys as keys, and search hits marked. */
export function GuideText({ text, hits }: GuideTextProps) {
  return text.map((part, index) => {
    const key = `${index} ${JSON.stringify(part)}`
    if (typeof part === 'string') return <Fragment key={key}>{highlightTerms(part, hits)}</Fragment>
    if ('bold' in part) return <b key={key}>{highlightTerms(part.bold, hits)}</b>
    return <kbd key={key}>{part.key}</kbd>
  })
}

/** The same for plain text. */
export const PlainGuideText = ({ text, hits }: { text: string; hits: readonly string[] }) => highlightTerms(text, hits)

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
