import { type ReactNode, useState } from 'react'
import { type FieldDefinition, type FormField, getFormFields } from '#contract/field-definitions.ts'
import { clientsContract, getClientRows } from '#domains/clients/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import type { FieldControl } from '#ui/form/field-binding.ts'
import grid from '#ui/form/field-grid.module.css'
import { formatFieldValue } from '#ui/form/format-field-value.ts'
import { useCreateChoice } from '#ui/form/useCreateChoice.ts'
import { campaignCategoriesContract } from '../categories/contract.ts'
import { type Campaign, campaignsContract } from '../contract.ts'
import { campaignFields } from '../fields.ts'

const dueDayChoices = Array.from({ length: 31 }, (_, index) => ({ value: index + 1, label: String(index + 1) }))

/** Returns the controls and a formatter of their values. A new campaign may come with its client. */
export function useCampaignFields(opened: boolean, campaign: Campaign | null, client = campaign?.client) {
  const [clientId, setClientId] = useState(client?.id ?? null)
  const newCategory = useCreateChoice(campaignCategoriesContract.create, (name) => ({ name }))
  const categories = useApi(campaignCategoriesContract.list, { query: { nopag: 1 } }, { enabled: opened }).data ?? []
  const everyClient = getClientRows(useApi(clientsContract.list, { query: { nopag: 1 } }, { enabled: opened }).data)
  const siteChoices = useSiteChoices(opened, campaign, clientId)
  const categoryChoices = includeCurrentChoices(
    categories.map(({ id, name, color }) => ({ value: id, label: name, color })),
    newCategory.made,
  )
  const clientChoices = includeCurrentChoices(
    everyClient.map(({ id, name }) => ({ value: id, label: name })),
    client && [{ value: client.id, label: client.name }],
  )
  const fields = ({ buildFieldControls, multiSelectControl, selectControl }: ControlSet) =>
    buildFieldControls(campaignFields, {
      categories: multiSelectControl(campaignFields.categories.label, categoryChoices, {
        create: newCategory.create,
      }),
      client_id: withChangeListener(
        selectControl(campaignFields.client_id.label, clientChoices, {
          searchable: true,
          hint: campaign && clientId !== campaign.client.id ? describeHandOver(campaign.client.name) : undefined,
        }),
        setClientId,
      ),
      client_sites: multiSelectControl(campaignFields.client_sites.label, siteChoices),
      due_date: selectControl(campaignFields.due_date.label, dueDayChoices),
    })
  const lists: Record<string, readonly SelectChoice<number>[]> = {
    categories: categoryChoices,
    client_id: clientChoices,
    client_sites: siteChoices,
  }
  const shown = (name: string, value: unknown) => {
    if (lists[name]) return formatChoiceNames(lists[name], value)
    return isFormField(name) ? formatFieldValue(campaignFields[name], value) : null
  }
  return { fields, shown }
}

const describeHandOver = (client: string) =>
  `The campaign’s leads and its next statement go along. What ${client} said about the leads is put away and open disputes are settled, until it gets them back.`

/** Sites of the client, sites without a campaign, and sites of this campaign. */
function useSiteChoices(opened: boolean, campaign: Campaign | null, clientId: number | null): SelectChoice<number>[] {
  const sites = useApi(clientSitesContract.all, undefined, { enabled: opened }).data ?? []
  const all = useApi(campaignsContract.all, undefined, { enabled: opened }).data ?? []
  const owners = new Map(all.map((one) => [one.id, one]))
  const isOffered = (site: (typeof sites)[number]) =>
    site.campaign_id === null ||
    site.campaign_id === campaign?.id ||
    clientId === null ||
    owners.get(site.campaign_id)?.client?.id === clientId
  return includeCurrentChoices(
    sites.filter(isOffered).map(({ id, url, campaign_id }) => ({
      value: id,
      label: url,
      detail: campaign_id === null ? 'No campaign' : owners.get(campaign_id)?.name,
    })),
    campaign?.client_sites.map(({ id, url }) => ({ value: id, label: url })),
  )
}

/** Adds the current choices, in case they are not loaded yet or no longer exist. */
function includeCurrentChoices(
  choices: SelectChoice<number>[],
  own: SelectChoice<number>[] | null | undefined,
): SelectChoice<number>[] {
  const offered = new Set(choices.map(({ value }) => value))
  return [...choices, ...(own ?? []).filter(({ value }) => !offered.has(value))]
}

/** Returns the control with a listener for its changes. */
const withChangeListener =
  <Value,>(control: FieldControl<Value>, onChange: (value: Value | null) => void): FieldControl<Value> =>
  (at) =>
    control({
      ...at,
      set: (value) => {
        onChange(value)
        at.set(value)
      },
    })

function formatChoiceNames(choices: readonly SelectChoice<number>[], picked: unknown): string | null {
  const names = [picked].flat().map((id) => choices.find(({ value }) => value === id)?.label ?? `#${id}`)
  return names.toSorted().join(', ') || null
}

type CampaignFormField = FormField<typeof campaignFields>
const isFormField = (name: string): name is CampaignFormField =>
  getFormFields(campaignFields).some((one) => one === name)

export function renderCampaignLayout(fields: Record<CampaignFormField, ReactNode>) {
  return (
    <div className={grid.fields} data-columns={4}>
      {getFormFields(campaignFields).map((name) => (
        <div key={name} className={getWidthClass(campaignFields[name])}>
          {fields[name]}
        </div>
      ))}
    </div>
  )
}

const getWidthClass = ({ width }: FieldDefinition) => width && grid[width]
