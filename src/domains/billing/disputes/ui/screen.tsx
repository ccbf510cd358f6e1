import { IconGavel } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { clippedTextCell, nameCell, renderBadge } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Dispute, disputesContract } from '../contract.ts'
import { disputeFields, disputeFilters } from '../fields.ts'
import { disputeStateTitles } from '../labels.ts'

const DisputeDialog = lazyComponent(() => import('./DisputeDialog.tsx'))

export default function DisputesScreen() {
  const list = useList(disputesContract.list)
  const campaigns = useCampaignChoices({ keep: list.filters.campaign_ids ?? [] })
  const { campaign_ids, state } = buildFilterControls(disputeFilters, { campaign_ids: campaigns })
  const reading = useDialog<Dispute>()
  return (
    <>
      <ListScreen
        table="disputes"
        title="Disputes"
        list={list}
        filters={{ campaign_ids, state }}
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

const stateBadges = { open: 'warn', accepted: 'ok', refused: 'neutral', settled: 'neutral' } as const

const disputeColumns = buildFieldColumns(
  disputeFields,
  {
    state: { cell: ({ state }) => renderBadge(stateBadges[state], disputeStateTitles[state]) },
    campaign: {
      cell: ({ campaign }) => (
        <RecordLink kind="campaign" id={campaign.id}>
          {nameCell(campaign.name)}
        </RecordLink>
      ),
      plain: ({ campaign }) => campaign.name,
    },
    lead: {
      cell: ({ lead, lead_id }) => (
        <RecordLink kind="lead" id={lead?.id}>
          {clippedTextCell(lead?.name ?? `Lead ${lead_id}`)}
        </RecordLink>
      ),
      plain: ({ lead, lead_id }) => lead?.name ?? `Lead ${lead_id}`,
    },
    type: { cell: ({ lead }) => lead?.type },
    date: { cell: ({ lead }) => formatDay(lead?.date) },
    message: { cell: ({ lead }) => clippedTextCell(lead?.message) },
  },
  ['state', 'campaign', 'lead', 'type', 'date', 'message', 'reason', 'via', 'opened_at', 'answer'],
)
