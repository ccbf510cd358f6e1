import { IconWebhook } from '@tabler/icons-react'
import { useMemo } from 'react'
import { hostOf } from '#contract/fields.ts'
import { statusChoices } from '#contract/site-status.ts'
import { IconButton } from '#web/ActionButton.tsx'
import { clipped, external, link, text } from '#web/cells.tsx'
import type { Column } from '#web/DataTable.tsx'
import { askedOf, ExportButton } from '#web/ExportButton.tsx'
import { password, select as selectField, text as textField } from '#web/fields.tsx'
import { search, select } from '#web/filters.tsx'
import { ImportButton } from '#web/ImportButton.tsx'
import { ListScreen } from '#web/ListScreen.tsx'
import { SiteActions } from '#web/SiteActions.tsx'
import { shortAddress, status } from '#web/siteCells.tsx'
import { useCampaignChoices } from '#web/useCampaignChoices.ts'
import { useDialog } from '#web/useDialog.ts'
import { type SortOf, useList } from '#web/useList.ts'
import { type ClientSite, clientSites } from './contract.ts'
import { HookDialog } from './HookDialog.tsx'
import { columnTitles as titles } from './words.ts'

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
