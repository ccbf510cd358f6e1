import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { getTroubleStateLabel } from '#domains/campaigns/labels.ts'
import { campaignEventsContract } from '#domains/insights/events/contract.ts'
import { CampaignTimeline } from '#domains/insights/ui/public.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { CampaignChart, readWeekCounts } from '#domains/reports/chart/ui/public.ts'
import { signalsContract } from '#domains/signals/contract.ts'
import { CampaignSignals } from '#domains/signals/ui/public.ts'
import { renderBadge, renderPageLink, renderSwatch } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { type CampaignRecord, recordsContract } from '../contract.ts'
import { CampaignPeople, CampaignSources, CampaignTasks } from './CampaignParts.tsx'
import { CampaignArea, CampaignHours, CampaignListings, CampaignSites } from './CampaignPlaces.tsx'
import { CampaignProgress } from './CampaignProgress.tsx'
import { RecordPage, RecordSection, SectionState, useRecordId } from './RecordPage.tsx'

/** A campaign: its progress, its sources, its people and its activity. */
export default function CampaignScreen() {
  const id = useRecordId()
  const me = useCurrentUser()
  return id === null || !me ? <NotFoundPage /> : <CampaignPage key={id} me={me} id={id} />
}

function CampaignPage({ me, id }: { me: CurrentUserDto; id: number }) {
  const query = useApi(recordsContract.campaign, { params: { id } }, { quiet: true })
  return (
    <RecordPage
      kind="Campaign"
      query={query}
      title={({ name }) => name}
      about={renderAbout}
      actions={({ name, archived }) => (
        <>
          {leadsContract.list.allow(me) &&
            me.permissions.leads &&
            renderPageLink('/leads', { campaign_ids: id }, 'Leads')}
          {me.isAdmin &&
            me.permissions.campaigns &&
            archived === 0 &&
            renderPageLink('/campaigns', { q: name }, 'Open in Campaigns')}
        </>
      )}
    >
      {(campaign: CampaignRecord) => <CampaignSections me={me} campaign={campaign} />}
    </RecordPage>
  )
}

function renderAbout({ client, categories, state, archived }: CampaignRecord) {
  return (
    <>
      {archived === 1 && renderBadge('neutral', 'Archived')}
      {client && (
        <span>
          Client:{' '}
          <RecordLink kind="client" id={client.id}>
            {client.name}
          </RecordLink>
        </span>
      )}
      {categories?.map(({ id, name, color }) => (
        <span key={id}>{renderSwatch(color, name)}</span>
      ))}
      {state && <span>Status: {getTroubleStateLabel(state.trouble_state)}</span>}
      {state && state.is_ppc === 1 && renderBadge('info', 'PPC')}
    </>
  )
}

function CampaignSections({ me, campaign }: { me: CurrentUserDto; campaign: CampaignRecord }) {
  const { id } = campaign
  const readsChart = leadChartContract.usual.allow(me)
  const chart = useApi(leadChartContract.usual, { params: { id } }, { enabled: readsChart, quiet: true })
  return (
    <>
      <CampaignProgress me={me} campaign={campaign} chart={chart} />
      {signalsContract.list.allow(me) && (
        <RecordSection title="Signals">
          <Suspense>
            <CampaignSignals campaignId={id} />
          </Suspense>
        </RecordSection>
      )}
      {readsChart && (
        <RecordSection title="Leads by week" wide>
          {chart.data ? (
            <CampaignChart me={me} chart={chart.data} campaign={campaign} />
          ) : (
            <SectionState what="Leads by week" query={chart} />
          )}
        </RecordSection>
      )}
      <CampaignSources sources={campaign.sources} />
      <CampaignSites me={me} id={id} />
      <CampaignListings me={me} id={id} />
      <CampaignTasks tasks={campaign.tasks} />
      <CampaignPeople campaign={campaign} />
      <CampaignHours me={me} id={id} />
      <CampaignArea me={me} campaign={campaign} />
      {campaignEventsContract.list.allow(me) && (
        <RecordSection title="What happened" wide>
          <Suspense>
            <CampaignTimeline campaignId={id} weeks={chart.data && readWeekCounts(chart.data)} />
          </Suspense>
        </RecordSection>
      )}
    </>
  )
}
