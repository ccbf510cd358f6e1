import { Fragment } from 'react'
import styles from '../theme/text.module.css'
import classes from './LinkedText.module.css'

/** Web addresses as people paste them into text, without a period or bracket that follows. */
const webAddressPattern = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/gi

/** Renders plain text with its line breaks and turns web addresses into links. Builds text nodes only: markup is never interpreted. */
export function LinkedText({ text, tabIndex }: { text: string; tabIndex?: 0 | -1 }) {
  return <span className={`${classes.text} ${styles.prose}`}>{linkifyText(text, tabIndex)}</span>
}

function linkifyText(text: string, tabIndex: 0 | -1 | undefined) {
  const found = [...text.matchAll(webAddressPattern)]
  const ends = [0, ...found.map((link) => link.index + link[0].length)]
  return [
    ...found.map(({ 0: url, index }, place) => (
      <Fragment key={index}>
        {text.slice(ends[place], index)}
        <a
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          tabIndex={tabIndex}
          onClick={(event) => event.stopPropagation()}
        >
          {url}
        </a>
      </Fragment>
    )),
    text.slice(ends.at(-1)),
  ]
}
