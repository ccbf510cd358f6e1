import { IconGavel } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { clippedTextCell, nameCell, renderBadge } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { multiSelectFilter, selectFilter } from '#ui/filters/filters.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type Dispute, disputesContract } from '../contract.ts'
import { disputeChannelTitles, disputeStates, disputeStateTitles } from '../labels.ts'

const DisputeDialog = lazyComponent(() => import('./DisputeDialog.tsx'))

export default function DisputesScreen() {
  const list = useList(disputesContract.list)
  const campaigns = useCampaignChoices({ keep: list.filters.campaign_ids ?? [] })
  const reading = useDialog<Dispute>()
  return (
    <>
      <ListScreen
        table="disputes"
        title="Disputes"
        list={list}
        filters={{
          campaign_ids: multiSelectFilter('Campaign', campaigns),
          state: selectFilter('State', stateChoices),
        }}
        columns={disputeColumns}
        actionsWidth={80}
        actions={(dispute) => (
          <IconButton
            label={dispute.state === 'open' ? 'Decide' : 'View'}
            icon={IconGavel}
            onClick={() => reading.open(dispute)}
          />
        )}
        onOpen={reading.open}
      />
      {reading.opened && reading.subject && (
        <Suspense>
          <DisputeDialog dispute={reading.subject} onClose={reading.close} />
        </Suspense>
      )}
    </>
  )
}

const stateChoices = disputeStates.map((value) => ({ value, label: disputeStateTitles[value] }))
const stateBadges = { open: 'warn', accepted: 'ok', refused: 'neutral' } as const

const disputeColumns: TableColumn<Dispute, SortOf<typeof disputesContract.list>>[] = [
  {
    key: 'state',
    title: 'State',
    width: 86,
    pinned: 'start',
    cell: ({ state }) => renderBadge(stateBadges[state], disputeStateTitles[state]),
  },
  {
    key: 'campaign',
    title: 'Campaign',
    width: 180,
    cell: ({ campaign }) => (
      <RecordLink kind="campaign" id={campaign.id}>
        {nameCell(campaign.name)}
      </RecordLink>
    ),
    plain: ({ campaign }) => campaign.name,
  },
  {
    key: 'lead',
    title: 'Lead',
    width: 130,
    cell: ({ lead, lead_id }) => (
      <RecordLink kind="lead" id={lead?.id}>
        {clippedTextCell(lead?.name ?? `Lead ${lead_id}`)}
      </RecordLink>
    ),
    plain: ({ lead, lead_id }) => lead?.name ?? `Lead ${lead_id}`,
  },
  { key: 'type', title: 'Type', width: 60, cell: ({ lead }) => lead?.type },
  { key: 'date', title: 'Date', width: 104, cell: ({ lead }) => formatDay(lead?.date) },
  { key: 'message', title: 'Message', cell: ({ lead }) => clippedTextCell(lead?.message) },
  { key: 'via', title: 'Marked via', width: 104, cell: ({ via }) => disputeChannelTitles[via] },
  {
    key: 'opened_at',
    title: 'Opened',
    sort: 'opened_at',
    width: 136,
    cell: ({ opened_at }) => formatInstant(opened_at),
  },
  { key: 'answer', title: 'Answer', cell: ({ answer }) => clippedTextCell(answer) },
]
