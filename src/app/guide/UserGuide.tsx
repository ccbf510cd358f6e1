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
import { createGuide, type GuideGroup, type GuideScreen, getVisibleGuide } from './pages.ts'
import { createSearchIndex, searchGuide } from './search.ts'
import classes from './UserGuide.module.css'

type UserGuideProps = { screens: readonly GuideScreen[] }

/** What a colleague would explain on the first day, screen by screen. Each person reads only about what they can do. */
export function UserGuide({ screens }: UserGuideProps) {
  const me = useCurrentUser()
  return me && <GuideContent guide={createGuide(screens)} me={me} />
}

function GuideContent({ guide, me }: { guide: readonly GuideGroup[]; me: CurrentUserDto }) {
  const [{ page: asked, q = '' }, write] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const all = getVisibleGuide(guide, me)
  const allKeys = all.flatMap(({ pages }) => pages.map(({ key }) => key))
  const index = createSearchIndex(all.flatMap(({ pages }) => pages))
  const { keys, hits } = q === '' ? { keys: allKeys, hits: [] } : searchGuide(index, q)
  const groups = all
    .map(({ title, pages }) => ({ title, pages: pages.filter(({ key }) => keys.includes(key)) }))
    .filter(({ pages }) => pages.length > 0)
  // A page without the words is replaced by the best one that has them.
  const isUnknown = q === '' && asked !== undefined && !allKeys.includes(asked)
  const shownKey = isUnknown ? undefined : (keys.find((key) => key === asked) ?? keys[0])
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
