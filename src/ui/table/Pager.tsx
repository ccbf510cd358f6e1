import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { pageSizes } from '#contract/paged.ts'
import { formatShortTime } from '#ui/cells/timestamps.ts'
import { useServerReach } from '#ui/data/server-reach.ts'
import arrange from '#ui/layout/arrange.module.css'
import buttons from '#ui/layout/buttons.module.css'
import text from '#ui/theme/text.module.css'
import { SmallSelect } from '../filters/SmallSelect.tsx'
import classes from './Pager.module.css'
import { useLayoutReset } from './table-layout.ts'

type PagedList = {
  total: number | undefined
  rowsReadAt?: number
  error?: Error | null
  page?: number
  perPage?: number
  setPage?: (page: number) => void
  setPerPage?: (size: number) => void
}

type ListFooterProps = {
  list: PagedList
  totalLabel?: string
  table?: string | undefined
  /** Of a list in a dialog or card: nothing, where all of it is in sight. */
  isBrief?: boolean
  /** A note on the rows; it may come late. */
  children?: ReactNode
}

/** The footer of a list: the number of rows, display options, and the pages. */
export function ListFooter({ list, totalLabel = 'Total Items', table, isBrief, children }: ListFooterProps) {
  const [changed, reset] = useLayoutReset(table)
  if (isBrief && (list.total ?? 0) <= (list.perPage ?? 0)) return null
  // Where the rows end is not known either.
  const isComing = list.total === undefined && !list.error
  return (
    <footer className={classes.footer} style={isComing ? { visibility: 'hidden' } : undefined}>
      <p className={classes.total}>
        {totalLabel}: <b>{list.total?.toLocaleString('en-US') ?? '–'}</b>
        <ReadTime list={list} />
        <PrintedRange list={list} />
      </p>
      {children}
      <ListPager list={list} />
      <div className={classes.view} data-unprinted>
        {changed && (
          <Button variant="subtle" size="compact-sm" onClick={reset}>
            Reset columns
          </Button>
        )}
        <PageSizeSelect list={list} />
      </div>
    </footer>
  )
}

/** Says when the rows were read, while newer ones cannot be. */
function ReadTime({ list: { rowsReadAt } }: { list: PagedList }) {
  const isLost = useServerReach(({ lostAt }) => lostAt !== null)
  if (!isLost || !rowsReadAt) return null
  return <span className={text.warn}> as of {formatShortTime(new Date(rowsReadAt).toISOString())}</span>
}

/** Says on paper which part of the list was printed. */
function PrintedRange({ list: { page = 1, perPage = 0, total = 0 } }: { list: PagedList }) {
  if (perPage === 0 || total <= perPage) return null
  const [first, last] = [(page - 1) * perPage + 1, Math.min(page * perPage, total)]
  return (
    <span data-printed-only>
      , of which {first.toLocaleString('en-US')} to {last.toLocaleString('en-US')} are here
    </span>
  )
}

/** Previous, page numbers, next; hidden when everything fits on one page. */
export function ListPager({ list }: { list: PagedList }) {
  const { page = 1, perPage = 0, total = 0, setPage } = list
  const pages = perPage > 0 ? Math.ceil(total / perPage) : 1
  if (!setPage || (pages <= 1 && page === 1)) return null
  return (
    <nav aria-label="Pages" className={`${arrange.lineNarrow} ${classes.pager}`} data-unprinted>
      <button
        type="button"
        data-hover
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => setPage(Math.min(page - 1, pages))}
      >
        <IconChevronLeft size={16} aria-hidden="true" />
      </button>
      {getPageNumbers(page, pages).map((entry) =>
        typeof entry === 'number' ? (
          <button
            type="button"
            key={entry}
            className={buttons.choice}
            data-hover
            aria-label={`Page ${entry}`}
            aria-current={entry === page ? 'page' : undefined}
            onClick={() => setPage(entry)}
          >
            {entry}
          </button>
        ) : (
          <span key={entry} aria-hidden="true">
            …
          </span>
        ),
      )}
      <button
        type="button"
        data-hover
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => setPage(page + 1)}
      >
        <IconChevronRight size={16} aria-hidden="true" />
      </button>
    </nav>
  )
}

/** Returns the first page, the last one and those around the current one, with gaps between them. */
function getPageNumbers(page: number, pages: number): (number | 'gap before' | 'gap after')[] {
  const near = [page - 1, page, page + 1].filter((number) => number > 1 && number < pages)
  const first = near[0] ?? pages
  const last = near.at(-1) ?? 1
  return [
    1,
    ...(first > 2 && pages > 2 ? (['gap before'] as const) : []),
    ...near,
    ...(last < pages - 1 && near.length > 0 ? (['gap after'] as const) : []),
    ...(pages > 1 ? [pages] : []),
  ]
}

/** Not shown where every size has all rows on one page. */
function PageSizeSelect({ list }: { list: PagedList }) {
  const { total = 0, perPage, setPerPage } = list
  if (!setPerPage || perPage === undefined || total <= Math.min(...pageSizes)) return null
  const sizes: number[] = pageSizes.some((size) => size === perPage) ? [...pageSizes] : [perPage, ...pageSizes]
  return (
    <SmallSelect
      label="Page size"
      value={perPage}
      choices={sizes.map((size) => ({ value: size, label: String(size) }))}
      choose={setPerPage}
    />
  )
}
