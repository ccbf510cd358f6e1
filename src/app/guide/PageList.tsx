import { Link } from '@tanstack/react-router'
import text from '#ui/theme/text.module.css'
import { guidePath } from '../layout/guide-address.ts'
import { PlainGuideText } from './GuideText.tsx'
import type { VisibleGuideGroup, VisibleGuidePage } from './pages.ts'
import { findBestLine } from './search.ts'
import classes from './UserGuide.module.css'

type GuidePageListProps = {
  groups: readonly VisibleGuideGroup[]
  hits: readonly string[]
  shown: string | undefined
  q: string
  onFollow: () => void
}

/** All pages, or the search results, each with its best matching line. */
export function GuidePageList({ groups, hits, shown, q, onFollow }: GuidePageListProps) {
  const count = groups.flatMap(({ pages }) => pages).length
  return (
    <nav aria-label="Pages of the guide" className={classes.pages}>
      <p role="status" className={`${text.smaller} ${classes.count}`}>
        {q !== '' && (count === 1 ? '1 page' : `${count} pages`)}
      </p>
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map((page) => (
              <li key={page.key}>
                <Link
                  to={guidePath}
                  search={{ page: page.key, ...(q !== '' && { q }) }}
                  aria-current={page.key === shown ? 'page' : undefined}
                  resetScroll={false}
                  preload={false}
                  onClick={onFollow}
                >
                  <PlainGuideText text={page.title} hits={hits} />
                  <PageExcerpt page={page} hits={hits} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function PageExcerpt({ page, hits }: { page: VisibleGuidePage; hits: readonly string[] }) {
  const line = hits.length > 0 && findBestLine(page, hits)
  if (!line) return null
  return (
    <small>
      <PlainGuideText text={cutExcerpt(line, hits)} hits={hits} />
    </small>
  )
}

const maxExcerptLength = 90

/** Cuts the line to start shortly before its first hit. */
function cutExcerpt(line: string, hits: readonly string[]): string {
  const at = Math.min(...hits.map((word) => line.toLowerCase().indexOf(word)).filter((place) => place >= 0))
  if (at < maxExcerptLength / 2) return line
  const start = line.lastIndexOf(' ', at - maxExcerptLength / 4) + 1
  return `…${line.slice(start)}`
}
