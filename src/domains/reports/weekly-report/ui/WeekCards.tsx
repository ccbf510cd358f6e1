import { memo, type ReactNode, useMemo, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useInAppLinks } from '#ui/data/search-params.ts'
import { CardHead } from '#ui/table/cards/CardHead.tsx'
import { CardList, ListCard } from '#ui/table/cards/CardList.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { WeeklyReport, WeeklyReportCampaign, WeeklyReportSort } from '../contract.ts'
import { formatMonthTitle } from '../labels.ts'
import { buildFixedColumns, type FixedColumn } from './LeftColumns.tsx'
import classes from './WeekCards.module.css'
import table from './WeeklyReport.module.css'
import { LeadCounts } from './WeekRow.tsx'
import type { WeekTableProps } from './WeekTable.tsx'
import { buildWeekColumns, findWeekCell, type WeekColumn } from './week-columns.ts'

/** The facts shown on a closed card. */
const tellingFacts: ReadonlySet<WeeklyReportSort> = new Set([
  'trouble_state',
  'verified',
  'missed',
  'target',
  'run_date',
  'chance',
])
/** The number of cards shown at first; more are a tap away. */
const cardsAtOnce = 100

type CardColumn = TableColumn<WeeklyReportCampaign, WeeklyReportSort>

/** The Leads Table on phones: one card per campaign with the weeks of the latest month, and earlier months behind More. */
export function WeekCards({ me, report, sorts, fetching, withForecasts }: WeekTableProps) {
  const [most, setMost] = useState(cardsAtOnce)
  const [element, setElement] = useState<HTMLElement | null>(null)
  useInAppLinks(element)
  const facts = useMemo(() => buildFixedColumns(me, withForecasts), [me, withForecasts])
  const columns = useMemo(() => facts.map((fact): CardColumn => ({ ...fact, key: fact.sort })), [facts])
  const key = report.weeks.map(({ month, year }) => `${year}-${month}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds the months.
  const months = useMemo(() => buildMonths(report.weeks), [key])
  const { campaigns } = report
  const rows = campaigns.slice(0, most)
  return (
    <div ref={setElement} className={`${table.colored} ${classes.list}`}>
      <TotalsCard report={report} facts={facts} months={months} />
      <CardList
        label="Leads Table"
        list={{
          ...sorts,
          rows,
          total: campaigns.length,
          loading: false,
          fetching,
          error: null,
          retry: () => {},
        }}
        columns={columns}
        card={(campaign, index) => (
          <WeekCard key={campaign.id} me={me} campaign={campaign} facts={facts} months={months} index={index} />
        )}
      />
      {campaigns.length > most && (
        <button type="button" className={classes.all} onClick={() => setMost(most + cardsAtOnce)}>
          Show {Math.min(cardsAtOnce, campaigns.length - most)} more
        </button>
      )}
    </div>
  )
}

/** A month's total and its weeks. */
type MonthColumns = { key: string; title: string; total: WeekColumn; weeks: readonly WeekColumn[] }

/** Returns the latest month first. */
function buildMonths(months: WeeklyReport['weeks']): MonthColumns[] {
  const columns = buildWeekColumns(months)
  return columns
    .filter(({ week }) => week === null)
    .map((total) => ({
      key: total.key,
      title: formatMonthTitle(months[total.month]!), // the column was made of it
      total,
      weeks: columns.filter(({ month, week }) => month === total.month && week !== null),
    }))
    .reverse()
}

type WeekCardProps = {
  me: CurrentUserDto
  campaign: WeeklyReportCampaign
  facts: readonly FixedColumn[]
  months: readonly MonthColumns[]
  index: number
}

const WeekCard = memo(function WeekCard({ me, campaign, facts, months, index }: WeekCardProps) {
  const [name, ...others] = facts
  return (
    <ListCard index={index} tint={undefined} className={classes.card} data-state={campaign.trouble_state}>
      <FoldedCard
        name={name?.cell(campaign)}
        facts={(isOpen) =>
          others
            .filter(({ sort }) => isOpen || tellingFacts.has(sort))
            .map((fact) => ({ ...fact, value: fact.cell(campaign) }))
        }
        months={months}
        cell={(column) => <LeadCounts me={me} campaign={campaign} column={column} />}
      />
    </ListCard>
  )
})

/** The content of the table's head: the sums of all campaigns shown. */
function TotalsCard({ report, facts, months }: { report: WeeklyReport } & Pick<WeekCardProps, 'facts' | 'months'>) {
  const filled = facts.slice(1).filter((fact) => fact.total(report.total_calc) !== null)
  return (
    <section className={classes.totals} aria-label="Totals">
      <FoldedCard
        name="Totals"
        facts={(isOpen) =>
          filled
            .filter(({ sort }) => isOpen || tellingFacts.has(sort))
            .map((fact) => ({ ...fact, value: fact.total(report.total_calc) }))
        }
        months={months}
        cell={(column) => {
          const cell = findWeekCell(report.totals, column)
          return cell && !column.isComing && `${cell.confirmed} / ${cell.missed}`
        }}
      />
    </section>
  )
}

type FoldedCardProps = {
  name: ReactNode
  facts: (isOpen: boolean) => readonly { sort: string; title: string; value: ReactNode }[]
  months: readonly MonthColumns[]
  cell: (column: WeekColumn) => ReactNode
}

function FoldedCard({ name, facts, months, cell }: FoldedCardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <CardHead name={name} isOpen={isOpen} setOpen={setOpen} />
      <dl className={classes.facts}>
        {facts(isOpen).map(({ sort, title, value }) => (
          <div key={sort} data-wide={sort === 'trouble_state' || undefined}>
            <dt>{title}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      {months.slice(0, isOpen ? undefined : 1).map(({ key, title, total, weeks }) => (
        <dl key={key} className={classes.weeks} aria-label={title}>
          <div className={classes.month}>
            <dt>{title}</dt>
            <dd>{cell(total)}</dd>
          </div>
          {weeks.map((column) => (
            <div key={column.key}>
              <dt title={column.days}>{column.title}</dt>
              <dd>{cell(column)}</dd>
            </div>
          ))}
        </dl>
      ))}
    </>
  )
}
