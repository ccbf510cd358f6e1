import { useCurrentUser } from '#domains/access/ui/public.ts'
import { buildLeadsUrl, UndoRuleButton } from '#domains/leads/ui/public.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { renderPageLink } from '#ui/cells/cells.tsx'
import { formatInstantDay, getInstantDay } from '#ui/cells/timestamps.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { insightsContract, type WhyCampaignIsBehind } from '../../contract.ts'
import { getNotesPage } from '../../events/ui/EventLine.tsx'
import { formatLeadRange, formatLeads } from '../../ui/forecast-words.ts'
import classes from '../../ui/Insights.module.css'
import { describeInnerPart, describeShortfall, isBehind, roundRange, sumInnerParts } from './why-words.ts'

type WhySummaryProps = { campaign: { id: number; name: string }; from: string; to: string }

/** Why a campaign is behind between two days: a sentence, the causes with their actions, and where leads are missing. */
export function WhySummary({ campaign, from, to }: WhySummaryProps) {
  const { data, error, refetch } = useApi(
    insightsContract.why,
    { params: { id: campaign.id }, query: { from, to } },
    { quiet: true },
  )
  if (error && !data) return <QueryError what="The causes" error={error} retry={refetch} />
  if (!data) return <div className={classes.bone} role="status" aria-label="Loading" />
  return (
    <div className={classes.why}>
      <p className={text.medium}>{describeShortfall(data)}</p>
      {data.causes.length > 0 && <CauseList causes={data.causes} campaign={campaign} />}
      {isBehind(data) && !data.found && (
        <p className={text.small}>We checked outages, suspensions, rules, hours and notes.</p>
      )}
      <InnerParts why={data} campaignId={campaign.id} />
      {isBehind(data) && <SegmentTable why={data} />}
    </div>
  )
}

type CauseListProps = { causes: WhyCampaignIsBehind['causes']; campaign: { id: number; name: string } }

const CauseList = ({ causes, campaign }: CauseListProps) => (
  <ol className={classes.causes} aria-label="Causes">
    {causes.map((cause) => (
      <li key={`${cause.kind} ${cause.at} ${cause.title}`}>
        <p>
          <b>{cause.title}</b> <span className={text.small}>{formatInstantDay(cause.at)}</span>
        </p>
        <p>
          Could explain {formatLeadRange(roundRange(cause.lost))}. {cause.because}.
        </p>
        <CauseDoor cause={cause} campaign={campaign} />
      </li>
    ))}
  </ol>
)

/** Leads that came but are not verified. */
function InnerParts({ why, campaignId }: { why: WhyCampaignIsBehind; campaignId: number }) {
  const me = useCurrentUser()
  const parts = sumInnerParts(why)
  if (!me || parts.length === 0) return null
  const { from, to } = why
  return (
    <ul className={classes.inner} aria-label="Leads that came but are not verified">
      {parts.map(({ inner, lost }) => {
        const series = inner === 'waiting' ? 'unmarked' : 'missed'
        const address = inner === 'hidden' ? null : buildLeadsUrl(me, { from, to, campaignIds: [campaignId] }, series)
        return (
          <li key={inner}>
            About {describeInnerPart({ inner, lost })}.{' '}
            {address && <a href={address}>{inner === 'waiting' ? 'Review them' : 'Open the missed leads'}</a>}
          </li>
        )
      })}
    </ul>
  )
}

const mostSegments = 5

/** Site, type and source of leads that did not come. */
function SegmentTable({ why: { segments } }: { why: WhyCampaignIsBehind }) {
  const me = useCurrentUser()
  const mayReadSites = me !== null && me !== undefined && clientSitesContract.all.allow(me)
  const { data: sites = [] } = useApi(clientSitesContract.all, undefined, { enabled: mayReadSites })
  const missing = segments.filter(({ inner, lost }) => inner === null && lost >= 1).slice(0, mostSegments)
  if (missing.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a phone must be reachable by keyboard.
    <section className={classes.scroller} aria-label="Where leads are missing" tabIndex={0}>
      <PlainTable
        className={`${classes.table} ${text.numbers}`}
        caption="Where they’re missing"
        columns={[
          {
            title: 'Site',
            isName: true,
            cell: ({ site }) =>
              site === null
                ? 'No site'
                : (sites.find(({ id }) => id === site)?.url.replace(/^https?:\/\//, '') ?? `Site ${site}`),
          },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Source', cell: ({ channel }) => channel || 'No source' },
          { title: 'Missing', cell: ({ lost }) => `about ${formatLeads(lost)}` },
        ]}
        rows={missing}
        rowKey={({ site, type, channel }) => `${site} ${type} ${channel}`}
      />
    </section>
  )
}

type Cause = WhyCampaignIsBehind['causes'][number]
type CauseDoorProps = { cause: Cause; campaign: { id: number; name: string } }

/** The action for a cause: in place, or as a link to the right page. */
function CauseDoor({ cause, campaign }: CauseDoorProps) {
  const me = useCurrentUser()
  const { kind, label, subject, id } = cause.door
  if (kind === 'rule')
    return (
      <div className={classes.buttons}>
        <UndoRuleButton ruleId={id} />
      </div>
    )
  if (kind === 'probe')
    return (
      <div className={classes.buttons}>
        {id !== null && <ActionButton call={clientSitesContract.check} input={{ params: { id } }} label={label} />}
        {renderPageLink('/client-sites', { campaign_id: campaign.id }, 'Open the site')}
      </div>
    )
  const page = doorPages[kind]?.({ campaign, subject, day: getInstantDay(cause.at), notes: getNotesPage(me) })
  return page ? <div className={classes.buttons}>{renderPageLink(page.path, page.search, label)}</div> : null
}

type DoorOptions = { campaign: CauseDoorProps['campaign']; subject: string; day: string; notes: string }
const doorPages: Record<string, (options: DoorOptions) => { path: string; search: Record<string, string | number> }> = {
  listing: ({ subject }) => ({ path: '/campaign-gmbs', search: { search: subject } }),
  hours: ({ campaign }) => ({ path: '/campaigns', search: { q: campaign.name } }),
  link: ({ subject }) => ({ path: '/network-sites/outgoing-links', search: { q: subject } }),
  redirect: ({ subject }) => ({ path: '/redirect-domains', search: { q: subject } }),
  note: ({ campaign, day, notes }) => ({ path: notes, search: { from: day, to: day, campaign_ids: campaign.id } }),
}
