import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { renderExternalLink, renderPageLink } from '#ui/cells/cells.tsx'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { parseWholeNumber } from '#ui/table/list-address.ts'
import { useList } from '#ui/table/useList.ts'
import { type CustomSource, customSourcesContract } from '../contract.ts'
import { customSourceFields } from '../fields.ts'
import { sourcePresets, sourcePresetTitles } from '../labels.ts'
import { SourceDetails } from './SourceDetails.tsx'

/** The list of lead sources, or the details of one. */
export default function LeadSourcesScreen() {
  const [{ id }] = useSearchParams()
  const one = parseWholeNumber(id, 2_147_483_647)
  return one === undefined ? <SourceList /> : <SourceDetails key={one} id={one} />
}

const presetChoices = sourcePresets.map((preset) => ({ value: preset, label: sourcePresetTitles[preset] }))

function SourceList() {
  const list = useList(customSourcesContract.list)
  const sites = useApi(clientSitesContract.all).data ?? []
  const [, writeSearch] = useSearchParams()
  const fields = ({ textControl, selectControl }: ControlSet) => ({
    name: textControl('Name'),
    clientsite_id: selectControl(
      'Client Site',
      sites.map(({ id, url }) => ({ value: id, label: url })),
    ),
    preset: selectControl('Service', presetChoices, { placeholder: 'Any other' }),
    mapping: () => null, // mapped on its own page
  })
  function formatSourceValue(name: string, value: unknown): string | null {
    if (name === 'clientsite_id') return sites.find(({ id }) => id === value)?.url ?? null
    return (name === 'preset' ? presetChoices.find((choice) => choice.value === value)?.label : String(value)) ?? null
  }
  return (
    <ListScreen
      table="lead-sources"
      title="Lead Sources"
      list={{
        ...list,
        elsewhere: 'A lead source takes leads from any form or service that can send them to a web address.',
      }}
      columns={sourceColumns}
      create={{
        call: customSourcesContract.create,
        button: 'Add Lead Source',
        start: { name: '', clientsite_id: null, preset: null, mapping: {} },
        fields,
        onSaved: ({ id }) => writeSearch(() => ({ id: String(id) })), // where its address is
      }}
      update={{
        call: customSourcesContract.update,
        title: 'Edit Lead Source',
        start: toSourceDraft,
        fields: (controls) => ({ ...fields(controls), confirmed: () => null }),
        conflict: { read: toSourceDraft, shown: formatSourceValue },
      }}
      remove={{
        call: customSourcesContract.remove,
        details: ({ name, clientsite_url }) => [`${name} (${clientsite_url ?? deletedSite}). Its leads stay.`],
      }}
    />
  )
}

const toSourceDraft = ({ name, clientsite_id, preset, mapping, version }: CustomSource) => ({
  name,
  clientsite_id,
  preset,
  mapping,
  version,
  confirmed: 1 as const, // the preview is on the page of the source
})

const deletedSite = 'Site was deleted'

const sourceColumns = buildFieldColumns(
  customSourceFields,
  {
    name: { cell: ({ id, name }) => renderPageLink('/lead-sources', { id }, name) },
    clientsite_url: {
      key: 'site',
      cell: ({ clientsite_url }) => (clientsite_url ? renderExternalLink(clientsite_url) : deletedSite),
    },
    campaign_name: { key: 'campaign' },
    preset: { key: 'service' },
    last_event_at: { key: 'last' },
  },
  ['name', 'clientsite_url', 'campaign_name', 'preset', 'last_event_at'],
)
