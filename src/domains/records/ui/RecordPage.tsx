import type { UseQueryResult } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { linkCell } from '#ui/cells/cells.tsx'
import type { ApiError } from '#ui/data/api.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { usePrinting } from '#ui/layout/printing.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import text from '#ui/theme/text.module.css'
import classes from './RecordPage.module.css'

/** Returns the id in the URL; null without one, which is "not found". */
export function useRecordId(): number | null {
  const { id = '' } = useParams({ strict: false }) as { id?: string } // any of the record routes
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null
}

type RecordPageProps<Row> = {
  /** The kind of record, shown before its name. */
  kind: string
  query: UseQueryResult<Row, ApiError>
  title: (row: Row) => string
  /** Shown under the name. */
  about?: (row: Row) => ReactNode
  actions?: (row: Row) => ReactNode
  children: (row: Row) => ReactNode
}

/** The frame of a record's page: its name and facts, or why they are missing. */
export function RecordPage<Row>({ kind, query, title, about, actions, children }: RecordPageProps<Row>) {
  const { data, error, refetch } = query
  if (!data && error && (error.status === 404 || error.status === 403)) return <NotFoundPage />
  return (
    <ScreenFrame
      title={data ? title(data) : kind}
      heading={
        <>
          <span className={text.light}>{kind}</span> {data && title(data)}
        </>
      }
      actions={data && actions?.(data)}
    >
      {error && !data && <QueryError what={`This ${kind.toLowerCase()}`} error={error} retry={refetch} />}
      {error && data && <QueryOutdated what={`This ${kind.toLowerCase()}`} error={error} retry={refetch} />}
      {data && about && <div className={classes.about}>{about(data)}</div>}
      {data ? (
        <div className={classes.sections} data-printed-block>
          {children(data)}
        </div>
      ) : (
        !error && <RecordSkeleton />
      )}
    </ScreenFrame>
  )
}

function RecordSkeleton() {
  return (
    <div className={classes.sections} role="status" aria-label="Loading">
      {['first', 'second', 'third'].map((place) => (
        <span key={place} className={classes.bone} />
      ))}
    </div>
  )
}

type RecordSectionProps = {
  title: string
  count?: number | undefined
  wide?: boolean
  aside?: ReactNode
  /** Its title stands above it already, on a tab. */
  isUntitled?: boolean
  children: ReactNode
}

/** A part of the page, with its heading. */
export function RecordSection({ title, count, wide, aside, isUntitled, children }: RecordSectionProps) {
  return (
    <section className={classes.section} aria-label={title} data-wide={wide || undefined}>
      {!isUntitled && (
        <header>
          <h2>
            {title}{' '}
            {count !== undefined && count > 0 && <span className={text.count}>{count.toLocaleString('en-US')}</span>}
          </h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  )
}

export const EmptySection = ({ children }: { children: ReactNode }) => <p className={text.small}>{children}</p>

/** The state of a part of the page that is loading or failed to load. */
export function SectionState({ what, query }: { what: string; query: UseQueryResult<unknown, ApiError> }) {
  if (query.error) return <QueryError what={what} error={query.error} retry={query.refetch} />
  return <span className={classes.bone} role="status" aria-label={`Loading ${what.toLowerCase()}`} data-waiting />
}

/** Labels with values; facts that are null are left out. */
export function FactList({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts} data-unbroken>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Links to a web address in one line: its host first, its end cut, and whole in the title. */
export const renderWebAddress = (url: string | null | undefined): ReactNode => (
  <span className={classes.address}>{linkCell(url)}</span>
)

type RecordListProps<Row> = {
  label: string
  rows: readonly Row[]
  /** How many rows are shown before "Show all". */
  atFirst?: number
  children: (row: Row) => ReactNode
}

/** Rows that wrap if there is no room, each with its link. */
export function RecordList<Row extends { id?: number | string; key?: string }>({
  label,
  rows,
  atFirst = rows.length,
  children,
}: RecordListProps<Row>) {
  const [isWhole, setWhole] = useState(false)
  const isPrinting = usePrinting()
  const shown = isWhole || isPrinting ? rows : rows.slice(0, atFirst)
  return (
    <>
      <ul className={`${classes.list} ${text.dense} ${arrange.ruled}`} aria-label={label}>
        {shown.map((row, index) => (
          <li key={row.key ?? row.id ?? index}>{children(row)}</li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <button type="button" className={classes.all} data-link onClick={() => setWhole(true)}>
          Show all {rows.length} {label.toLowerCase()}
        </button>
      )}
    </>
  )
}
