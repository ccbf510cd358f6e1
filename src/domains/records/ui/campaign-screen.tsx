import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { HandoverSteps } from '#domains/campaigns/ui/public.ts'
import { insightsContract } from '#domains/insights/contract.ts'
import { WhyCaption } from '#domains/insights/ui/public.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { CampaignChart } from '#domains/reports/chart/ui/public.ts'
import { addDays, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { type CampaignRecord, recordsContract } from '../contract.ts'
import { CampaignAttention } from './CampaignAttention.tsx'
import { CampaignCycle } from './CampaignCycle.tsx'
import { CampaignActions, CampaignState } from './CampaignHead.tsx'
import { CampaignMoney } from './CampaignMoney.tsx'
import classes from './CampaignPage.module.css'
import sections from './RecordPage.module.css'
import { RecordPage, RecordSection, SectionState, useRecordId } from './RecordPage.tsx'

// Below what is looked at first.
const CampaignTabs = lazyComponent(() => import('./CampaignTabs.tsx'))

/** A campaign: where it is heading, what to do about it, and its parts in tabs. */
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
      about={(campaign) => <CampaignState me={me} campaign={campaign} />}
      actions={(campaign) => <CampaignActions me={me} campaign={campaign} />}
    >
      {(campaign: CampaignRecord) => <CampaignSections me={me} campaign={campaign} />}
    </RecordPage>
  )
}

/** One that has run for two months was handed over long ago. */
const isNewCampaign = ({ contract }: CampaignRecord) =>
  !contract?.start_date || contract.start_date >= addDays(getToday(appConfig.timezone), -60)

const chartPlace = <span className={classes.chart} role="status" aria-label="Loading leads by week" />

function CampaignSections({ me, campaign }: { me: CurrentUserDto; campaign: CampaignRecord }) {
  const { id } = campaign
  const readsChart = leadChartContract.usual.allow(me)
  const chart = useApi(leadChartContract.usual, { params: { id } }, { enabled: readsChart, quiet: true })
  return (
    <>
      {campaign.archived === 0 && isNewCampaign(campaign) && (
        <Suspense>
          <HandoverSteps campaign={campaign} className={sections.section} />
        </Suspense>
      )}
      <div className={classes.cards}>
        <CampaignCycle me={me} campaign={campaign} chart={chart} />
        <CampaignMoney me={me} campaign={campaign} />
        <CampaignAttention me={me} campaignId={id} />
      </div>
      {readsChart && (
        <RecordSection title="Leads by week" wide>
          {chart.error && !chart.data && <SectionState what="Leads by week" query={chart} />}
          {!chart.error && !chart.data && chartPlace}
          {chart.data && (
            <Suspense fallback={chartPlace}>
              <CampaignChart me={me} chart={chart.data} campaign={campaign} />
            </Suspense>
          )}
          <WhyCaption campaign={campaign} />
        </RecordSection>
      )}
      {!readsChart && insightsContract.why.allow(me) && (
        <RecordSection title="Last 30 days" wide>
          <WhyCaption campaign={campaign} />
        </RecordSection>
      )}
      <Suspense>
        <CampaignTabs me={me} campaign={campaign} chart={chart.data} />
      </Suspense>
    </>
  )
}
