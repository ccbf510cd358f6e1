import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconFileText, IconSend } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import { formatMoney } from '#contract/money.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { countCell, renderBadge, wholeCell } from '#ui/cells/cells.tsx'
import { addDays, addMonths, formatDay, getToday } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { appConfig } from '#ui/data/environment.ts'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { useIsPhone } from '#ui/layout/useIsPhone.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import text from '#ui/theme/text.module.css'
import { statementsContract } from '../contract.ts'
import { statementFields, statementFilters } from '../fields.ts'
import { getStatementBadge, isToSend, type StatementView, statementViews } from '../labels.ts'
import type { ListedStatement } from '../list/contract.ts'
import { groupByClient, type StatementRow } from './group-by-client.ts'
import classes from './StatementTiles.module.css'
import { findView, StatementTiles } from './StatementTiles.tsx'

const StatementDialog = lazyComponent(() => import('./StatementDialog.tsx'))
const SendStatementDialog = lazyComponent(() =>
  loadPart(() => import('./SendStatementDialog.tsx')).then((part) => ({ default: part.SendStatementDialog })),
)
const SendBatchDialog = lazyComponent(() =>
  loadPart(() => import('./SendBatchDialog.tsx')).then((part) => ({ default: part.SendBatchDialog })),
)

/** The list of the API, by client unless a column is chosen. */
const listByClient = {
  ...statementsContract.list,
  list: {
    ...statementsContract.list.list,
    defaults: { ...statementsContract.list.list.defaults, sort: 'client.name', order: 'asc' },
  },
} as const satisfies typeof statementsContract.list

/** The days on which the cycles of a month end. */
const spanMonth = (day: string) => {
  const cycle_ends_from = `${day.slice(0, 7)}-01`
  return { cycle_ends_from, cycle_ends_before: addMonths(cycle_ends_from, 1) }
}
/** The last month in which a cycle can have ended. */
const findLastMonth = () => spanMonth(addDays(getToday(appConfig.timezone), -1))

/** The statements of a month, by client; at first those to be sent. */
export default function StatementsScreen() {
  const list = useList(listByClient, { start: { ...findLastMonth(), state: [...statementViews.to_send] } })
  const campaigns = useCampaignChoices({ keep: list.filters.campaign_ids ?? [] })
  const reading = useDialog<ListedStatement>()
  const sending = useDialog<ListedStatement>()
  const batch = useDialog()
  const span = spanMonth(list.filters.cycle_ends_from ?? findLastMonth().cycle_ends_from)
  const month = formatMonth(span.cycle_ends_from)
  const ofMonth = { ...span, campaign_ids: list.filters.campaign_ids, client_ids: list.filters.client_ids }
  const view = findView(list.filters.state)
  const { campaign_ids } = buildFilterControls(statementFilters, { campaign_ids: campaigns })
  const move = (months: number) => list.setFilters(spanMonth(addMonths(span.cycle_ends_from, months)))
  const isPhone = useIsPhone()
  const { rows: listed, page, perPage, total = 0 } = list
  const isByClient = list.sort === 'client.name' && !list.isPrevious
  const rows = useMemo(() => {
    if (isPhone) return listed?.map((row): StatementRow => ({ ...row, isFirst: true })) // on cards
    return listed && groupByClient(listed, { isByClient, page, perPage, total })
  }, [listed, isPhone, isByClient, page, perPage, total])
  return (
    <>
      <ListScreen
        table="statements"
        title="Statements"
        list={{ ...list, rows, elsewhere: view === 'to_send' && toSendSays }}
        filters={{ campaign_ids }}
        notice={
          <>
            <div className={`${arrange.row} ${classes.month}`}>
              <IconButton label="Month before" icon={IconChevronLeft} onClick={() => move(-1)} />
              <h2>{month}</h2>
              <IconButton label="Month after" icon={IconChevronRight} onClick={() => move(1)} />
            </div>
            <StatementTiles
              query={ofMonth}
              chosen={view}
              choose={(next) => list.setFilters({ state: next ? [...statementViews[next]] : undefined })}
            />
          </>
        }
        columns={buildStatementColumns(isPhone).filter(({ key }) => !hiddenColumns[view ?? 'sent'].includes(key))}
        rowClass={({ isFirst }) => (isFirst ? classes.start : undefined)}
        buttons={
          <>
            <ExportButton call={statementsContract.csv} input={{ query: getExportQuery(list) }} />
            {view === 'to_send' && <Button onClick={() => batch.open(undefined)}>Send all…</Button>}
          </>
        }
        actionsWidth={84}
        actions={(statement) => (
          <>
            <IconButton label="Lines" icon={IconFileText} onClick={() => reading.open(statement)} />
            {isToSend(statement) && <IconButton label="Send" icon={IconSend} onClick={() => sending.open(statement)} />}
          </>
        )}
        onOpen={reading.open}
      />
      <Suspense>
        {reading.opened && reading.subject && <StatementDialog id={reading.subject.id} onClose={reading.close} />}
        {sending.opened && sending.subject && <SendStatementDialog id={sending.subject.id} onClose={sending.close} />}
        {batch.opened && <SendBatchDialog filters={ofMonth} month={month} onClose={batch.close} />}
      </Suspense>
    </>
  )
}

const toSendSays = 'A statement stands here from the day after a campaign’s billing cycle ends until it is sent.'

const formatMonth = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** What says nothing in a view, so that all else has room. */
const hiddenColumns: Record<StatementView, string[]> = {
  to_send: ['number', 'due_on'],
  sent: ['billed', 'not_billed', 'corrections'],
  unpaid: ['billed', 'not_billed', 'corrections'],
}

const countLines = ({ lines }: ListedStatement, ...kinds: ListedStatement['lines'][number]['kind'][]) =>
  lines.filter(({ kind }) => kinds.includes(kind)).length

/** Archiving does not end the billing. */
const renderArchived = ({ archived }: ListedStatement['campaign']) =>
  archived === 1 && <> {renderBadge('neutral', 'Archived')}</>

const buildStatementColumns = (isPhone: boolean) =>
  buildFieldColumns<typeof statementFields, StatementRow>(statementFields, {
    client: {
      cell: ({ client, campaign, isFirst, sum }) => {
        if (!isFirst) return null // the client of the row above
        return (
          <div className={arrange.lines}>
            <RecordLink kind="client" id={client.id}>
              {client.name}
            </RecordLink>
            {isPhone && (
              <span className={text.caption}>
                {campaign.name}
                {renderArchived(campaign)}
              </span>
            )}
            {sum && (
              <span className={text.caption}>
                {sum.count} · {formatMoney(sum.total)}
              </span>
            )}
          </div>
        )
      },
      plain: ({ client }) => client.name,
    },
    campaign: {
      cell: ({ campaign }) => (
        <>
          <RecordLink kind="campaign" id={campaign.id}>
            {campaign.name}
          </RecordLink>
          {renderArchived(campaign)}
        </>
      ),
      plain: ({ campaign }) => campaign.name,
    },
    from: { cell: ({ from, to }) => wholeCell(`${formatDay(from)} – ${formatDay(to)}`) },
    state: {
      cell: (statement) => renderBadge(...getStatementBadge(statement)),
    },
    billed: { align: 'end', cell: (one) => countCell(countLines(one, 'lead')) },
    not_billed: { align: 'end', cell: (one) => countCell(countLines(one, 'not_billed')) },
    corrections: { align: 'end', cell: (one) => countCell(countLines(one, 'credit', 'adjustment')) },
  })
