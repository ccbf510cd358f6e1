import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { getEmptyForm, getFormValues } from '#contract/field-definitions.ts'
import { parseHost } from '#contract/web-address.ts'
import { describeViewedList, SavedViews, useViewColumns } from '#domains/access/ui/public.ts'
import { useCampaignChoices, useNextSteps } from '#domains/campaigns/ui/public.ts'
import { ImportButton } from '#domains/imports/ui/public.ts'
import { SiteActions } from '#domains/sites/checks/ui/SiteActions.tsx'
import { renderSiteState, renderSiteUrl } from '#domains/sites/checks/ui/site-cells.tsx'
import { renderPageLink, shortenUrl, textCell } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { formatFieldValue } from '#ui/form/format-field-value.ts'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type ClientSite, clientSitesContract } from '../contract.ts'
import { clientSiteFields, clientSiteFilters } from '../fields.ts'
import { buildClientSiteControls } from './AddClientSite.tsx'
import { SiteHooks } from './SiteHooks.tsx'

const clientSiteColumns: TableColumn<ClientSite, SortOf<typeof clientSitesContract.list>>[] = [
  ...buildFieldColumns<typeof clientSiteFields, ClientSite>(clientSiteFields, {
    url: {
      width: 240,
      grows: true,
      pinned: 'start',
      cell: ({ id, url }) => renderSiteUrl('client_site', id, url),
      plain: ({ url }) => shortenUrl(url),
    },
    campaign: {
      cell: ({ campaign }) => (
        <RecordLink kind="campaign" id={campaign?.id}>
          {textCell(campaign?.name)}
        </RecordLink>
      ),
      plain: ({ campaign }) => campaign?.name ?? '–',
    },
    status: { width: 180, cell: renderSiteState },
    ip: { width: 120 },
  }),
  {
    key: 'domains',
    title: 'Domains',
    width: 80,
    cell: ({ url }) => renderPageLink('/network-sites', { host: parseHost(url) }, 'Domains'),
  },
  {
    key: 'links',
    title: 'Links',
    width: 64,
    cell: ({ url }) => renderPageLink('/network-sites/outgoing-links', { url: parseHost(url) }, 'Links'),
  },
  {
    key: 'redirects',
    title: "301's",
    width: 64,
    cell: ({ url }) => renderPageLink('/redirect-domains', { url: parseHost(url) }, "301's"),
  },
]

const toClientSiteDraft = (site: ClientSite) => ({
  ...getFormValues(clientSiteFields, site),
  campaign_id: site.campaign?.id ?? null,
  callrail_signing_key: null,
  forms_only: site.callrail_campaign_identifier === null,
  version: site.version,
})

const viewedList = describeViewedList(clientSitesContract.list)

export default function ClientSitesScreen() {
  const list = useList(clientSitesContract.list)
  const [columns, hidden] = useViewColumns('client-sites', clientSiteColumns)
  const { nextSteps, showNextSteps } = useNextSteps()
  // A site whose campaign is archived still shows it.
  const kept = useMemo(() => list.rows?.flatMap(({ campaign }) => (campaign ? [campaign.id] : [])) ?? [], [list.rows])
  const campaigns = useCampaignChoices({ keep: kept })
  const fields = buildClientSiteControls(campaigns)
  const filters = buildFilterControls(clientSiteFilters, { campaign_id: campaigns })
  return (
    <ListScreen
      table="client-sites"
      title="Client Sites"
      list={list}
      filters={filters}
      views={<SavedViews table="client-sites" list={viewedList} total={list.total} />}
      columns={columns}
      hidden={hidden}
      buttons={
        <>
          <ExportButton call={clientSitesContract.csv} input={{ query: getExportQuery(list) }} />
          <ImportButton what="client-sites" />
          <Button variant="default" component={Link} to="/lead-sources">
            Lead Sources
          </Button>
        </>
      }
      create={{
        call: clientSitesContract.create,
        button: 'Add Client Site',
        start: getEmptyForm(clientSiteFields),
        fields,
        onSaved: ({ campaign }) => campaign && showNextSteps({ of: 'campaign', id: campaign.id, isNew: false }),
      }}
      notice={nextSteps}
      update={{
        call: clientSitesContract.update,
        title: 'Edit Client Site',
        start: toClientSiteDraft,
        fields,
        conflict: {
          read: toClientSiteDraft,
          shown: (name, value) =>
            (name === 'campaign_id' ? campaigns.find((campaign) => campaign.value === value)?.label : null) ??
            formatFieldValue(name === 'forms_only' ? clientSiteFields.forms_only : clientSiteFields.url, value),
        },
      }}
      remove={{
        call: clientSitesContract.remove,
        details: ({ url, campaign }) => [
          `${url}${campaign ? ` (${campaign.name})` : ''}`,
          'The leads stay. Calls and forms of this site no longer come in.',
          'What its lead sources receive is put aside until they are given another site.',
        ],
      }}
      actionsWidth={188}
      actions={(site) => (
        <>
          <SiteActions site={site} check={clientSitesContract.check} logs={clientSitesContract.logs} />
          <SiteHooks site={site} />
        </>
      )}
    />
  )
}
