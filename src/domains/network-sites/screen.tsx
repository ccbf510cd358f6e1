import { IconLink } from '@tabler/icons-react'
import { statusChoices } from '#contract/site-status.ts'
import { networkCategories } from '#domains/network-categories/contract.ts'
import { IconButton } from '#web/ActionButton.tsx'
import { askedOf, ExportButton } from '#web/ExportButton.tsx'
import { select as selectField, text } from '#web/fields.tsx'
import { given, search, select } from '#web/filters.tsx'
import { ListScreen } from '#web/ListScreen.tsx'
import { SiteActions } from '#web/SiteActions.tsx'
import { useApi } from '#web/useApi.ts'
import { useDialog } from '#web/useDialog.ts'
import { useList } from '#web/useList.ts'
import { useRouteParams } from '#web/useRouteParams.ts'
import { type NetworkSite, networkSites } from './contract.ts'
import { LinksDialog } from './links/LinksDialog.tsx'
import { columns } from './SiteColumns.tsx'

export default function NetworkSites() {
  const arrived = useRouteParams({ category_id: 'category' })
  const list = useList(networkSites.list, { enabled: arrived })
  const links = useDialog<NetworkSite>()
  const { data: categories = [] } = useApi(networkCategories.list, undefined, { kept: true })
  const choices = categories.map(({ id, name }) => ({ value: id, label: name }))
  const fields = { url: text('URL', { placeholder: 'https://' }), category_id: selectField('Category', choices) }
  const filters = {
    url: search('URL'),
    ip: search('IP'),
    category: select('Category', choices),
    status: select('Status', statusChoices),
    host: given('Host'),
  }
  return (
    <>
      <ListScreen
        table="network-sites"
        title="Network Sites"
        list={list}
        filters={filters}
        columns={columns}
        buttons={<ExportButton call={networkSites.csv} input={{ query: askedOf(list) }} />}
        create={{ call: networkSites.create, button: 'Create New Site', start: { url: '', category_id: null }, fields }}
        update={{
          call: networkSites.update,
          title: 'Edit Site',
          start: ({ url, category_id }) => ({ url, category_id }),
          fields,
        }}
        remove={networkSites.remove}
        actionsWidth={188}
        actions={(site) => (
          <>
            <SiteActions site={site} check={networkSites.check} logs={networkSites.logs} />
            <IconButton label="Links" onClick={() => links.open(site)}>
              <IconLink size={16} aria-hidden="true" />
            </IconButton>
          </>
        )}
      />
      {links.subject && <LinksDialog site={links.subject} opened={links.opened} onClose={links.close} />}
    </>
  )
}
