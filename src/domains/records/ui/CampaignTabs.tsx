import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { workingHoursContract } from '#domains/campaigns/hours/contract.ts'
import { campaignEventsContract } from '#domains/insights/events/contract.ts'
import { CampaignTimeline } from '#domains/insights/ui/public.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import type { LeadChart } from '#domains/reports/chart/contract.ts'
import { readWeekCounts } from '#domains/reports/chart/ui/public.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { usePrinting } from '#ui/layout/printing.ts'
import { ViewTabs } from '#ui/layout/Tabs.tsx'
import type { CampaignRecord } from '../contract.ts'
import classes from './CampaignPage.module.css'
import { CampaignPeople, CampaignSources, CampaignTasks } from './CampaignParts.tsx'
import { CampaignArea, CampaignHours, CampaignListings, CampaignSites } from './CampaignPlaces.tsx'
import { EmptySection, RecordSection } from './RecordPage.tsx'

type CampaignTabsProps = { me: CurrentUserDto; campaign: CampaignRecord; chart: LeadChart | undefined }
type CampaignTab = { value: string; label: string; isShown: boolean; render: () => React.ReactNode }

/** The parts of a campaign, one at a time; on paper all of them. A reader gets the tabs of which they may read something. */
export default function CampaignTabs({ me, campaign, chart }: CampaignTabsProps) {
  const [search, write] = useSearchParams()
  const isPrinting = usePrinting()
  const { id } = campaign
  const tabs = (
    [
      {
        value: 'timeline',
        label: 'Timeline',
        isShown: campaignEventsContract.list.allow(me),
        render: () => (
          <RecordSection title="Timeline" isUntitled={!isPrinting}>
            <Suspense>
              <CampaignTimeline campaignId={id} weeks={chart && readWeekCounts(chart)} />
            </Suspense>
          </RecordSection>
        ),
      },
      {
        value: 'sources',
        label: 'Sources',
        isShown: campaign.sources !== null,
        render: () => <CampaignSources sources={campaign.sources} />,
      },
      {
        value: 'places',
        label: 'Sites and listings',
        isShown: clientSitesContract.list.allow(me) || gmbsContract.list.allow(me),
        render: () => (
          <>
            <CampaignSites me={me} id={id} />
            <CampaignListings me={me} id={id} />
          </>
        ),
      },
      {
        value: 'team',
        label: 'Team and hours',
        isShown: campaign.people !== null || campaign.tasks !== null || workingHoursContract.read.allow(me),
        render: () => (
          <>
            <CampaignTasks tasks={campaign.tasks} />
            <CampaignPeople campaign={campaign} />
            <CampaignHours me={me} id={id} />
          </>
        ),
      },
      {
        value: 'area',
        label: 'Area',
        isShown: campaignAreasContract.get.allow(me),
        render: () => <CampaignArea me={me} campaign={campaign} />,
      },
    ] satisfies CampaignTab[]
  ).filter(({ isShown }) => isShown)
  const chosen = tabs.find(({ value }) => value === search.tab) ?? tabs[0]
  if (!chosen) return <EmptySection>With your access there is nothing more to see of this campaign.</EmptySection>
  if (isPrinting) return tabs.map(({ value, render }) => <div key={value}>{render()}</div>)
  return (
    <div className={classes.tabs}>
      <ViewTabs
        label="Parts of the campaign"
        tabs={tabs}
        chosen={chosen.value}
        choose={(tab) => write((rest) => ({ ...rest, tab }), true)}
      >
        <div className={classes.parts}>{chosen.render()}</div>
      </ViewTabs>
    </div>
  )
}
