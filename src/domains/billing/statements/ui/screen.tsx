import { IconFileText, IconSend } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { countCell, nameCell, renderBadge } from '#ui/cells/cells.tsx'
import { formatDay, getToday } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { appConfig } from '#ui/data/environment.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Statement, statementsContract } from '../contract.ts'
import { statementFields, statementFilters } from '../fields.ts'
import { statementStateTitles } from '../labels.ts'

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
        filters={buildFilterControls(statementFilters, { campaign_ids: campaigns })}
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

const statementColumns = buildFieldColumns(statementFields, {
  campaign: {
    cell: ({ campaign }) => (
      <RecordLink kind="campaign" id={campaign.id}>
        {nameCell(campaign.name)}
      </RecordLink>
    ),
    plain: ({ campaign }) => campaign.name,
  },
  from: { cell: ({ from, to }) => `${formatDay(from)} – ${formatDay(to)}` },
  state: { cell: ({ state }) => renderBadge(state === 'sent' ? 'ok' : 'info', statementStateTitles[state]) },
  billed: { align: 'end', cell: (one) => countCell(countLines(one, 'lead')) },
  not_billed: { align: 'end', cell: (one) => countCell(countLines(one, 'not_billed')) },
  corrections: { align: 'end', cell: (one) => countCell(countLines(one, 'credit', 'adjustment')) },
})
