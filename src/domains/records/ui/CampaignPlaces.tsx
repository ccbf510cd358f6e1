import { readListTotal } from '#contract/paged.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { workingHoursContract } from '#domains/campaigns/hours/contract.ts'
import { computeSquareMiles, orderedWeekdays, ShowMapButton } from '#domains/campaigns/ui/public.ts'
import { timezoneLabels } from '#domains/clients/labels.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { renderListingStatus } from '#domains/listings/ui/public.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { useApi } from '#ui/data/useApi.ts'
import type { CampaignRecord } from '../contract.ts'
import classes from './RecordPage.module.css'
import { EmptySection, RecordList, RecordSection, SectionState } from './RecordPage.tsx'
import { renderSiteBadge } from './site-badge.tsx'

/** A campaign's sites, listings, hours and area, each read by the call of its own page, for users who may. */

type PlaceProps = { me: CurrentUserDto; id: number }

export function CampaignSites({ me, id }: PlaceProps) {
  const allowed = clientSitesContract.list.allow(me)
  const query = useApi(
    clientSitesContract.list,
    { query: { campaign_id: id, per_page: 200 } },
    { enabled: allowed, quiet: true },
  )
  if (!allowed) return null
  const sites = query.data?.data
  return (
    <RecordSection title="Sites" count={query.data && readListTotal(query.data)}>
      {!sites && <SectionState what="Sites" query={query} />}
      {sites?.length === 0 && <EmptySection>No client site.</EmptySection>}
      <RecordList label="Sites" rows={sites ?? []}>
        {(site) => (
          <>
            <span className={classes.grow}>
              <RecordLink kind="client_site" id={site.id}>
                {site.url}
              </RecordLink>
            </span>
            {renderSiteBadge(site)}
            {site.problem && <span className={classes.quiet}>{site.problem}</span>}
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}

export function CampaignListings({ me, id }: PlaceProps) {
  const allowed = gmbsContract.list.allow(me)
  const query = useApi(
    gmbsContract.list,
    { query: { campaign_id: id, per_page: 200 } },
    { enabled: allowed, quiet: true },
  )
  if (!allowed) return null
  const listings = query.data?.data
  return (
    <RecordSection title="Listings" count={query.data && readListTotal(query.data)}>
      {!listings && <SectionState what="Listings" query={query} />}
      {listings?.length === 0 && <EmptySection>No listing.</EmptySection>}
      <RecordList label="Listings" rows={listings ?? []}>
        {(gmb) => (
          <>
            <span className={classes.grow}>
              <RecordLink kind="listing" id={gmb.id}>
                {gmb.title}
              </RecordLink>
            </span>
            {renderListingStatus(gmb)}
            {gmb.changed && renderBadge('warn', 'Changed')}
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}

export function CampaignHours({ me, id }: PlaceProps) {
  const allowed = workingHoursContract.read.allow(me)
  const query = useApi(workingHoursContract.read, { params: { id } }, { enabled: allowed, quiet: true })
  if (!allowed) return null
  const hours = query.data
  return (
    <RecordSection title="Hours">
      {!hours && <SectionState what="Hours" query={query} />}
      {hours && <EmptySection>{timezoneLabels[hours.timezone] ?? hours.timezone}</EmptySection>}
      <RecordList label="Hours" rows={hours ? orderedWeekdays.map(({ day, name }) => ({ key: name, day, name })) : []}>
        {({ day, name }) => {
          const entry = hours?.schedule.find((one) => one.day === day)
          return (
            <>
              <span className={classes.grow}>{name}</span>
              <span>{entry?.enabled ? `${entry.startTime} – ${entry.endTime}` : 'Closed'}</span>
            </>
          )
        }}
      </RecordList>
    </RecordSection>
  )
}

export function CampaignArea({ me, campaign }: { me: CurrentUserDto; campaign: CampaignRecord }) {
  const allowed = campaignAreasContract.get.allow(me)
  const query = useApi(campaignAreasContract.get, { params: { id: campaign.id } }, { enabled: allowed, quiet: true })
  if (!allowed) return null
  const corners = query.data?.points
  return (
    <RecordSection
      title="Area"
      aside={corners && corners.length > 0 ? <ShowMapButton campaign={campaign} /> : undefined}
    >
      {!corners && <SectionState what="Area" query={query} />}
      {corners?.length === 0 && <EmptySection>No area was drawn.</EmptySection>}
      {corners && corners.length > 0 && (
        <p>
          {Math.round(computeSquareMiles(corners)).toLocaleString('en-US')} square miles, {corners.length} corners
        </p>
      )}
    </RecordSection>
  )
}
