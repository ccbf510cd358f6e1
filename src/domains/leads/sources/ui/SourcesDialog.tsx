import { countOf } from '#contract/count-of.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { nameCell, renderExternalLink, renderPageLink, textCell } from '#ui/cells/cells.tsx'
import { instantCell } from '#ui/cells/instant-cell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatShortTime } from '#ui/cells/timestamps.ts'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { LeadSource, leadSourcesContract } from '../contract.ts'
import classes from './SourcesDialog.module.css'

type SourcesResponse = ResponseOf<typeof leadSourcesContract.list>
/** A site with one of its providers, or a site that has never sent a lead. */
type SilentSource = Pick<LeadSource, 'url' | 'campaign_id' | 'campaign_name' | 'days_silent'> & {
  id: string
  provider: string | null
  last_at: string | null
  usual_gap: number | null
}

/** The details behind the notice above the leads, and what to do. */
export default function SourcesDialog({ found, onClose }: { found: SourcesResponse; onClose: () => void }) {
  const { unassigned, quarantined } = found
  const ways = found.data.filter(({ silent }) => silent).flatMap(listSilentSources)
  const rows = { rows: ways, total: ways.length, loading: false, fetching: false, error: null, retry: () => undefined }
  return (
    <ModalDialog opened onClose={onClose} title="Where leads come from" size={960}>
      <div className={classes.parts}>
        {ways.length > 0 && (
          <section>
            <h3>Silent sources</h3>
            <p>Unusually quiet. The form or its CallRail or Formidable connection may be broken.</p>
            <p>{renderPageLink('/', {}, 'Check them on Home')}</p>
            <div className={classes.table}>
              <DataTable label="Silent sources" list={rows} columns={silentSourceColumns} />
            </div>
          </section>
        )}
        {unassigned > 0 && (
          <section>
            <h3>{countOf(unassigned, 'lead')} unassigned</h3>
            <p>
              These leads came from an unknown client site. Only super admins see them; choose a campaign with Edit
              Lead.
            </p>
          </section>
        )}
        {quarantined > 0 && (
          <section>
            <h3>{countOf(quarantined, 'event')} put aside</h3>
            <p>
              These events were kept but could not be read as leads. The page of a lead source shows its own and why,
              and replays them.
            </p>
            <p>{renderPageLink('/lead-sources', {}, 'Lead Sources')}</p>
            <p>
              For those of CallRail and Formidable, <code>npx leadline events list --state quarantined</code> on the
              server says why, and <code>npx leadline events replay --all</code> tries again once the cause is fixed.
            </p>
          </section>
        )}
        <p className={classes.quiet}>{describeReconciliation(found)}</p>
      </div>
    </ModalDialog>
  )
}

function listSilentSources(source: LeadSource): SilentSource[] {
  const { id, url, campaign_id, campaign_name, last_at, days_silent, providers } = source
  const site = { url, campaign_id, campaign_name }
  if (providers.length === 0)
    return [{ ...site, id: String(id), provider: null, last_at, days_silent, usual_gap: null }]
  return providers.filter(({ silent }) => silent).map((way) => ({ ...site, ...way, id: `${id} ${way.provider}` }))
}

const formatDays = (count: number) => (count === 0 ? 'Under a day' : countOf(count, 'day'))

/** Formats the days between two leads; shorter gaps are in hours. */
const formatGap = (between: number) =>
  between >= 1 ? formatDays(Math.round(between)) : `${Math.max(1, Math.round(between * 24))} h`

/** The stored name is that of the specified choices, `Callrail`. */
const nameProvider = (provider: string | null) => (provider === 'Callrail' ? 'CallRail' : provider)

const silentSourceColumns: TableColumn<SilentSource>[] = [
  {
    key: 'url',
    title: 'Site',
    telling: true,
    cell: ({ url }) => renderExternalLink(url, url.replace(/^https?:\/\//i, '')),
  },
  {
    key: 'campaign',
    title: 'Campaign',
    telling: true,
    cell: ({ campaign_id, campaign_name }) => (
      <RecordLink kind="campaign" id={campaign_id}>
        {nameCell(campaign_name)}
      </RecordLink>
    ),
  },
  { key: 'provider', title: 'Through', width: 104, cell: ({ provider }) => textCell(nameProvider(provider)) },
  { key: 'last', title: 'Last event', width: 148, cell: ({ last_at }) => (last_at ? instantCell(last_at) : 'Never') },
  {
    key: 'silent',
    title: 'Silent for',
    width: 96,
    align: 'end',
    telling: true,
    cell: ({ days_silent }) => formatDays(days_silent),
  },
  {
    key: 'gap',
    title: 'Usual gap',
    width: 96,
    align: 'end',
    cell: ({ usual_gap }) => textCell(usual_gap === null ? null : formatGap(usual_gap)),
  },
]

function describeReconciliation({
  reconciliation: { connected, ran_at, outcome, error, found },
}: SourcesResponse): string {
  if (!connected)
    return 'CallRail is not connected: leads come by webhook only, and those that it loses cannot be fetched.'
  if (!ran_at) return 'CallRail’s lists have not been read yet; this happens within a minute.'
  const when = `Checked with CallRail at ${formatShortTime(ran_at)}`
  if (outcome !== 'done')
    return `${when}, but its list could not be read completely${error ? `: ${error}` : ''}. The next try is within minutes.`
  return found === 0
    ? `${when}. No webhook failed this week.`
    : `${when}. ${countOf(found, 'lead this week was', 'leads this week were')} fetched because the webhook failed.`
}
