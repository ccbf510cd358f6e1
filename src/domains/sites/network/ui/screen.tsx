import { IconLink } from '@tabler/icons-react'
import { getEmptyForm, getFormValues } from '#contract/field-definitions.ts'
import { networkCategoriesContract } from '#domains/sites/categories/contract.ts'
import { SiteActions } from '#domains/sites/checks/ui/SiteActions.tsx'
import { LinksDialog } from '#domains/sites/links/ui/LinksDialog.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { useParamAliases } from '#ui/data/useParamAliases.ts'
import { buildFilterControls, linkedFilter } from '#ui/filters/filters.tsx'
import type { ControlSet } from '#ui/form/control-set.ts'
import { useCreateChoice } from '#ui/form/useCreateChoice.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type NetworkSite, networkSitesContract } from '../contract.ts'
import { networkSiteFields, networkSiteFilters } from '../fields.ts'
import { networkSiteColumns } from './SiteColumns.tsx'

export default function NetworkSitesScreen() {
  const arrived = useParamAliases({ category_id: 'category' })
  const list = useList(networkSitesContract.list, { enabled: arrived })
  const links = useDialog<NetworkSite>()
  const { data: categories = [] } = useApi(networkCategoriesContract.list, undefined, { kept: true })
  const newCategory = useCreateChoice(networkCategoriesContract.create, (name) => ({ name }))
  const choices = categories.map(({ id, name }) => ({ value: id, label: name }))
  const made = newCategory.made.filter(({ value }) => !categories.some(({ id }) => id === value))
  const fields = ({ buildFieldControls, textControl, selectControl }: ControlSet) =>
    buildFieldControls(networkSiteFields, {
      url: textControl(networkSiteFields.url.label, { placeholder: 'https://' }),
      category_id: selectControl(networkSiteFields.category_id.label, [...choices, ...made], {
        create: newCategory.create,
      }),
    })
  const filters = buildFilterControls(networkSiteFilters, {
    category: choices,
    host: linkedFilter('Host'),
  })
  return (
    <>
      <ListScreen
        table="network-sites"
        title="Network Sites"
        list={list}
        filters={filters}
        columns={networkSiteColumns}
        buttons={<ExportButton call={networkSitesContract.csv} input={{ query: getExportQuery(list) }} />}
        create={{
          call: networkSitesContract.create,
          button: 'Create New Site',
          start: getEmptyForm(networkSiteFields),
          fields,
        }}
        update={{
          call: networkSitesContract.update,
          title: 'Edit Site',
          start: toNetworkSiteDraft,
          fields,
          conflict: {
            read: toNetworkSiteDraft,
            shown: (name, value) =>
              (name === 'category_id' ? choices.find((choice) => choice.value === value)?.label : String(value)) ??
              null,
          },
        }}
        remove={{
          call: networkSitesContract.remove,
          details: ({ url }) => [`${url}, with its log and its outgoing links.`],
        }}
        actionsWidth={188}
        actions={(site) => (
          <>
            <SiteActions site={site} check={networkSitesContract.check} logs={networkSitesContract.logs} />
            <IconButton label="Links" icon={IconLink} onClick={() => links.open(site)} />
          </>
        )}
      />
      {links.subject && <LinksDialog site={links.subject} opened={links.opened} onClose={links.close} />}
    </>
  )
}

const toNetworkSiteDraft = (site: NetworkSite) => ({
  ...getFormValues(networkSiteFields, site),
  category_id: site.category_id,
  version: site.version,
})
