import { IconFileText, IconSend } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { countCell, formatMoney, nameCell, renderBadge } from '#ui/cells/cells.tsx'
import { formatDay, getToday } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { appConfig } from '#ui/data/environment.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { multiSelectFilter, selectFilter } from '#ui/filters/filters.tsx'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type Statement, statementsContract } from '../contract.ts'
import { statementStates, statementStateTitles } from '../labels.ts'

const StatementDialog = lazyComponent(() => import('./StatementDialog.tsx'))

export default function StatementsScreen() {
  const list = useList(statementsContract.list)
  const campaigns = useCampaignChoices({ keep: list.filters.campaign_ids ?? [] })
  const reading = useDialog<Statement>()
  return (
    <>
      <ListScreen
        table="statements"
        title="Statements"
        list={list}
        filters={{
          campaign_ids: multiSelectFilter('Campaign', campaigns),
          state: selectFilter('State', stateChoices),
        }}
        columns={statementColumns}
        buttons={<ExportButton call={statementsContract.csv} input={{ query: getExportQuery(list) }} />}
        actionsWidth={110}
        actions={(statement) => (
          <>
            <IconButton label="Lines" icon={IconFileText} onClick={() => reading.open(statement)} />
            <SendButton statement={statement} />
          </>
        )}
        onOpen={reading.open}
      />
      {reading.opened && reading.subject && (
        <Suspense>
          <StatementDialog id={reading.subject.id} onClose={reading.close} />
        </Suspense>
      )}
    </>
  )
}

const stateChoices = statementStates.map((value) => ({ value, label: statementStateTitles[value] }))

/** Shown once the cycle has ended, until the statement is sent. */
function SendButton({ statement }: { statement: Statement }) {
  if (statement.state === 'sent' || statement.to >= getToday(appConfig.timezone)) return null
  return (
    <ActionButton
      call={statementsContract.send}
      input={{ params: { id: statement.id } }}
      label="Send"
      icon={IconSend}
    />
  )
}

const countLines = ({ lines }: Statement, ...kinds: Statement['lines'][number]['kind'][]) =>
  lines.filter(({ kind }) => kinds.includes(kind)).length

const statementColumns: TableColumn<Statement, SortOf<typeof statementsContract.list>>[] = [
  {
    key: 'campaign',
    title: 'Campaign',
    sort: 'campaign.name',
    pinned: 'start',
    cell: ({ campaign }) => (
      <RecordLink kind="campaign" id={campaign.id}>
        {nameCell(campaign.name)}
      </RecordLink>
    ),
    plain: ({ campaign }) => campaign.name,
  },
  {
    key: 'from',
    title: 'Cycle',
    sort: 'from',
    width: 190,
    telling: true,
    cell: ({ from, to }) => `${formatDay(from)} – ${formatDay(to)}`,
  },
  {
    key: 'state',
    title: 'State',
    width: 90,
    cell: ({ state }) => renderBadge(state === 'sent' ? 'ok' : 'info', statementStateTitles[state]),
  },
  { key: 'billed', title: 'Billed', width: 80, align: 'end', cell: (one) => countCell(countLines(one, 'lead')) },
  {
    key: 'not_billed',
    title: 'Not billed',
    width: 90,
    align: 'end',
    cell: (one) => countCell(countLines(one, 'not_billed')),
  },
  {
    key: 'corrections',
    title: 'Corrections',
    width: 100,
    align: 'end',
    cell: (one) => countCell(countLines(one, 'credit', 'adjustment')),
  },
  { key: 'total', title: 'Total', width: 120, align: 'end', telling: true, cell: ({ total }) => formatMoney(total) },
]
