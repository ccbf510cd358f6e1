import { Button } from '@mantine/core'
import { renderExpiry, renderSiteStatus, shortenUrl } from '#domains/sites/checks/ui/site-cells.tsx'
import { clippedTextCell, dateCell, renderBadge, renderExternalLink } from '#ui/cells/cells.tsx'
import { useParamAliases } from '#ui/data/useRouteParams.ts'
import { searchFilter } from '#ui/filters/filters.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { textControl } from '#ui/form/fields.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type RedirectDomain, redirectDomainsContract } from '../contract.ts'
import { redirectDomainColumnTitles } from '../labels.ts'
import { RedirectTaskList } from './Steps.tsx'

const redirectDomainColumns: TableColumn<RedirectDomain, SortOf<typeof redirectDomainsContract.list>>[] = [
  {
    key: 'domain',
    title: redirectDomainColumnTitles.domain,
    sort: 'domain',
    pinned: 'start',
    width: 200,
    cell: renderDomainCell,
    plain: ({ domain }) => domain,
  },
  {
    key: 'redirect_url',
    title: redirectDomainColumnTitles.redirect_url,
    sort: 'redirect_url',
    width: 220,
    cell: ({ redirect_url }) => renderExternalLink(redirect_url, shortenUrl(redirect_url)),
  },
  {
    key: 'live_status',
    title: redirectDomainColumnTitles.live_status,
    sort: 'live_status',
    width: 90,
    cell: ({ live_status }) => renderSiteStatus({ status: live_status }),
  },
  {
    key: 'registrar',
    title: redirectDomainColumnTitles.registrar,
    sort: 'registrar',
    width: 150,
    cell: ({ registrar }) => clippedTextCell(registrar),
  },
  {
    key: 'registrant',
    title: redirectDomainColumnTitles.registrant,
    sort: 'registrant',
    width: 140,
    cell: ({ registrant }) => clippedTextCell(registrant),
  },
  {
    key: 'registration',
    title: redirectDomainColumnTitles.registration,
    sort: 'registration',
    width: 120,
    cell: ({ registration }) => dateCell(registration),
  },
  {
    key: 'expiration',
    title: redirectDomainColumnTitles.expiration,
    sort: 'expiration',
    width: 130,
    cell: ({ expiration }) => renderExpiry(expiration),
  },
  {
    key: 'nameserver_1',
    title: redirectDomainColumnTitles.nameserver_1,
    sort: 'nameserver_1',
    width: 180,
    cell: ({ nameserver_1 }) => clippedTextCell(nameserver_1),
  },
  {
    key: 'nameserver_2',
    title: redirectDomainColumnTitles.nameserver_2,
    sort: 'nameserver_2',
    width: 180,
    cell: ({ nameserver_2 }) => clippedTextCell(nameserver_2),
  },
]

function renderDomainCell({ domain: name, problem }: RedirectDomain) {
  return (
    <>
      {renderExternalLink(`http://${name}/`, name)}
      {problem && <span title={problem}>{renderBadge('bad', 'Not removed')}</span>}
    </>
  )
}

const redirectDomainFields = {
  domain: textControl('Domain', { placeholder: 'example.com' }),
  redirect_url: textControl('Redirect URL', { placeholder: 'https://' }),
}

export default function RedirectDomainsScreen() {
  const arrived = useParamAliases({ url: 'q' })
  const list = useList(redirectDomainsContract.list, { enabled: arrived })
  const adding = useDialog()
  return (
    <>
      <ListScreen
        table="redirect-domains"
        title="301 Domains List"
        list={list}
        filters={{ q: searchFilter('Search') }}
        columns={redirectDomainColumns}
        buttons={
          <>
            <ExportButton call={redirectDomainsContract.csv} input={{ query: getExportQuery(list) }} />
            <Button onClick={() => adding.open(undefined)}>Add 301 domain</Button>
          </>
        }
        notice={<RedirectTaskList />}
        remove={redirectDomainsContract.remove}
      />
      <FormDialog
        title="cPanel Addon Domains Tool"
        call={redirectDomainsContract.create}
        start={{ domain: '', redirect_url: '' }}
        fields={redirectDomainFields}
        opened={adding.opened}
        onClose={adding.close}
      />
    </>
  )
}
