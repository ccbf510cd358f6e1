import { IconWebhook } from '@tabler/icons-react'
import { useMemo } from 'react'
import { hostOf } from '#contract/fields.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/useCampaignChoices.ts'
import { ImportButton } from '#domains/imports/ui/ImportButton.tsx'
import { statusChoices } from '#domains/sites/checks/contract.ts'
import { SiteActions } from '#domains/sites/checks/ui/SiteActions.tsx'
import { shortAddress, status } from '#domains/sites/checks/ui/site-cells.tsx'
import { clipped, external, link, text } from '#ui/cells/cells.tsx'
import { search, select } from '#ui/filters/filters.tsx'
import { password, select as selectField, text as textField } from '#ui/form/fields.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import type { Column } from '#ui/table/DataTable.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type ClientSite, clientSites } from '../contract.ts'
import { columnTitles as titles } from '../labels.ts'
import { HookDialog } from './HookDialog.tsx'

const columns: Column<ClientSite, SortOf<typeof clientSites.list>>[] = [
  { key: 'url', title: titles.url, sort: 'url', pinned: 'start', cell: ({ url }) => external(url, shortAddress(url)) },
  { key: 'campaign', title: titles.campaign, sort: 'campaign', cell: ({ campaign }) => clipped(campaign?.name) },
  { key: 'status', title: titles.status, sort: 'status', width: 130, cell: status },
  { key: 'ip', title: titles.ip, sort: 'ip', width: 140, cell: ({ ip }) => text(ip) },
  {
    key: 'domains',
    title: 'Domains',
    width: 90,
    cell: ({ url }) => link('/network-sites', { host: hostOf(url) }, 'Domains'),
  },
  {
    key: 'links',
    title: 'Links',
    width: 80,
    cell: ({ url }) => link('/network-sites/outgoing-links', { url: hostOf(url) }, 'Links'),
  },
  {
    key: 'redirects',
    title: "301's",
    width: 80,
    cell: ({ url }) => link('/redirect-domains', { url: hostOf(url) }, "301's"),
  },
]

export default function ClientSites() {
  const list = useList(clientSites.list)
  const hook = useDialog<ClientSite>()
  // One whose campaign is archived still shows it.
  const kept = useMemo(() => list.rows?.flatMap(({ campaign }) => (campaign ? [campaign.id] : [])) ?? [], [list.rows])
  const campaigns = useCampaignChoices({ keep: kept })
  const fields = {
    url: textField('URL', { placeholder: 'https://' }),
    callrail_campaign_identifier: textField('CallRail Company ID'),
    campaign_id: selectField('Campaign', campaigns),
    callrail_signing_key: password('CallRail Signing Key'),
  }
  const filters = {
    url: search('URL'),
    ip: search('IP'),
    campaign_id: select('Campaign', campaigns),
    status: select('Status', statusChoices),
  }
  return (
    <>
      <ListScreen
        table="client-sites"
        title="Client Sites"
        list={list}
        filters={filters}
        columns={columns}
        buttons={
          <>
            <ExportButton call={clientSites.csv} input={{ query: askedOf(list) }} />
            <ImportButton what="client-sites" />
          </>
        }
        create={{
          call: clientSites.create,
          button: 'Add Client Site',
          start: { url: '', callrail_campaign_identifier: '', campaign_id: null, callrail_signing_key: '' },
          fields,
        }}
        update={{
          call: clientSites.update,
          title: 'Edit Client Site',
          start: ({ url, callrail_campaign_identifier, campaign }) => ({
            url,
            callrail_campaign_identifier,
            campaign_id: campaign?.id ?? null,
            callrail_signing_key: '',
          }),
          fields,
        }}
        remove={clientSites.remove}
        actionsWidth={188}
        actions={(site) => (
          <>
            <SiteActions site={site} check={clientSites.check} logs={clientSites.logs} />
            <IconButton label="Hooks" onClick={() => hook.open(site)}>
              <IconWebhook size={16} aria-hidden="true" />
            </IconButton>
          </>
        )}
      />
      {hook.subject && <HookDialog site={hook.subject} opened={hook.opened} onClose={hook.close} />}
    </>
  )
}
