import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { startTour } from '../tour/tour-state.ts'
import { GuideArticle } from './GuideArticle.tsx'
import { GuideSearch } from './GuideSearch.tsx'
import { GuidePageList } from './PageList.tsx'
import { getVisibleGuide } from './pages.ts'
import { hasAllTerms, splitSearchTerms, type VisibleGuidePage } from './search.ts'
import classes from './UserGuide.module.css'

/** What a colleague would say on the first day, screen by screen. It tells each person what they can do, and nothing else. */
export default function UserGuide() {
  const me = useCurrentUser()
  return me && <GuideContent me={me} />
}

function GuideContent({ me }: { me: CurrentUserDto }) {
  const [{ page: asked, q = '' }, write] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const hits = splitSearchTerms(q)
  const all = getVisibleGuide(me)
  const groups = all
    .map(({ title, pages }) => ({ title, pages: pages.filter((page) => hasAllTerms(page, hits)) }))
    .filter(({ pages }) => pages.length > 0)
  const found = groups.flatMap(({ pages }) => pages)
  const named = all.flatMap(({ pages }) => pages).find(({ key }) => key === asked)
  // What does not have the words makes place for what has them.
  const shown =
    found.find(({ key }) => key === asked) ?? (asked && !named && q === '' ? undefined : pickBestPage(found, hits))
  useScrollToTop(shown?.key)

  const search = (words: string, goesOn: boolean) => {
    setOpen(words !== '')
    write(({ q: _, ...rest }) => (words === '' ? rest : { ...rest, q: words }), goesOn)
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

/** A page that is called so comes before one that only speaks of it. */
const pickBestPage = (found: readonly VisibleGuidePage[], hits: readonly string[]) =>
  found.find(({ title }) => hits.length > 0 && hits.every((word) => title.toLowerCase().includes(word))) ?? found[0]

/** Another page is read from its beginning. */
function useScrollToTop(key: string | undefined) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is another page.
  useEffect(() => {
    document.getElementById('content')?.scrollTo(0, 0) // what it answers is no clean-up
  }, [key])
}
