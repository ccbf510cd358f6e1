import { Button } from '@mantine/core'
import { IconChevronDown, IconSearch, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import field from '#ui/filters/SearchField.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import text from '#ui/theme/text.module.css'
import { guidePath } from '../layout/guide-address.ts'
import { startTour } from '../tour/tour-state.ts'
import { GuideArticle } from './GuideArticle.tsx'
import { PlainGuideText } from './GuideText.tsx'
import {
  createGuide,
  type GuideGroup,
  type GuideScreen,
  getVisibleGuide,
  type VisibleGuideGroup,
  type VisibleGuidePage,
} from './pages.ts'
import { createSearchIndex, findBestLine, searchGuide } from './search.ts'
import classes from './UserGuide.module.css'

type UserGuideProps = { screens: readonly GuideScreen[] }

/** What a colleague would explain on the first day, screen by screen. Each person reads only about what they can do. */
export function UserGuide({ screens }: UserGuideProps) {
  const me = useCurrentUser()
  return me && <GuideContent guide={createGuide(screens)} me={me} />
}

function GuideContent({ guide, me }: { guide: readonly GuideGroup[]; me: CurrentUserDto }) {
  const [{ page: requestedKey, q = '' }, write] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const all = getVisibleGuide(guide, me)
  const allKeys = all.flatMap(({ pages }) => pages.map(({ key }) => key))
  const index = createSearchIndex(all.flatMap(({ pages }) => pages))
  const { keys, hits } = q === '' ? { keys: allKeys, hits: [] } : searchGuide(index, q)
  const groups = all
    .map(({ title, pages }) => ({ title, pages: pages.filter(({ key }) => keys.includes(key)) }))
    .filter(({ pages }) => pages.length > 0)
  // A page without the words is replaced by the best one that has them.
  const isUnknown = q === '' && requestedKey !== undefined && !allKeys.includes(requestedKey)
  const shownKey = isUnknown ? undefined : (keys.find((key) => key === requestedKey) ?? keys[0])
  const shown = groups.flatMap(({ pages }) => pages).find(({ key }) => key === shownKey)
  useScrollToTop(shown?.key)

  const search = (words: string, replacesHistory: boolean) => {
    setOpen(words !== '')
    write(({ q: _, ...rest }) => (words === '' ? rest : { ...rest, q: words }), replacesHistory)
  }
  const choose = (key: string | undefined) => {
    setOpen(false)
    if (key) write((before) => ({ ...before, page: key }))
  }
  return (
    <ScreenFrame
      title="User Guide"
      actions={
        <Button variant="default" onClick={startTour}>
          Take the tour
        </Button>
      }
    >
      <div className={classes.guide}>
        <div className={classes.side} data-open={isOpen || undefined}>
          <GuideSearch value={q} set={search} choose={() => choose(shown?.key)} />
          <button type="button" className={classes.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {shown?.title ?? 'Pages'}
            <IconChevronDown size={14} aria-hidden="true" />
          </button>
          <GuidePageList groups={groups} hits={hits} shown={shown?.key} q={q} onFollow={() => setOpen(false)} />
        </div>
        {shown ? (
          <GuideArticle page={shown} hits={hits} />
        ) : (
          <div className={classes.nothing}>
            <p>{q === '' ? 'Your guide has no such page.' : `No page has all of these words: ${q}`}</p>
            <Button variant="default" onClick={() => write(() => ({}))}>
              {q === '' ? 'To the first page' : 'Clear the search'}
            </Button>
          </div>
        )}
      </div>
    </ScreenFrame>
  )
}

/** Scrolls up when another page is shown. */
function useScrollToTop(key: string | undefined) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is another page.
  useEffect(() => {
    document.getElementById('content')?.scrollTo(0, 0) // its result is not a clean-up
  }, [key])
}

type GuideSearchProps = { value: string; set: (value: string, replacesHistory: boolean) => void; choose: () => void }

/** Searches on every keystroke, without the server. Esc clears the field, Enter opens the best page. */
function GuideSearch({ value, set, choose }: GuideSearchProps) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const input = useRef<HTMLInputElement>(null)
  // Back or a link changed the search.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])

  function type(next: string) {
    setTyped(next)
    const words = next.trim()
    // Continued typing is one step in the browser's history.
    if (words !== sent.current) set(words, sent.current !== '' && words !== '')
    sent.current = words
  }
  return (
    <search className={`${classes.search} ${field.field}`} data-ring>
      <IconSearch size={14} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        aria-label="Search the guide"
        placeholder="Search the guide"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose()
          if (event.key === 'Escape' && typed !== '') {
            event.preventDefault()
            type('')
          }
        }}
      />
      {typed !== '' && (
        <button
          type="button"
          data-hover
          aria-label="Clear the search"
          onClick={() => {
            type('')
            input.current?.focus()
          }}
        >
          <IconX size={14} aria-hidden="true" />
        </button>
      )}
    </search>
  )
}

type GuidePageListProps = {
  groups: readonly VisibleGuideGroup[]
  hits: readonly string[]
  shown: string | undefined
  q: string
  onFollow: () => void
}

/** All pages, or the search results, each with its best matching line. */
function GuidePageList({ groups, hits, shown, q, onFollow }: GuidePageListProps) {
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
                  data-hover
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
