import { IconLink } from '@tabler/icons-react'
import { networkCategories } from '#domains/sites/categories/contract.ts'
import { statusChoices } from '#domains/sites/checks/contract.ts'
import { SiteActions } from '#domains/sites/checks/ui/SiteActions.tsx'
import { LinksDialog } from '#domains/sites/links/ui/LinksDialog.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { useRouteParams } from '#ui/data/useRouteParams.ts'
import { given, search, select } from '#ui/filters/filters.tsx'
import { select as selectField, text } from '#ui/form/fields.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type NetworkSite, networkSites } from '../contract.ts'
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
