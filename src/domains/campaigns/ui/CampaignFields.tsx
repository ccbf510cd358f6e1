import { type ReactNode, useState } from 'react'
import { clientsContract, getClientRows } from '#domains/clients/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { formatMoney } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import { dateControl } from '#ui/form/DateField.tsx'
import {
  type FieldControl,
  multiSelectControl,
  numberControl,
  selectControl,
  textControl,
  toggleControl,
  wholeNumberControl,
} from '#ui/form/fields.tsx'
import type { FormDraft } from '#ui/form/form-dialog-props.ts'
import { campaignCategoriesContract } from '../categories/contract.ts'
import { type Campaign, campaignsContract } from '../contract.ts'
import { campaignFieldTitles } from '../labels.ts'
import classes from './Campaigns.module.css'

/** What both dialogs ask for. */
export type CampaignDraft = Omit<FormDraft<typeof campaignsContract.update>, 'id' | 'version'>

const dueDayChoices = Array.from({ length: 31 }, (_, index) => ({ value: index + 1, label: String(index + 1) }))
const createDollarField = (label: string) => numberControl(label, { decimals: 2, prefix: '$', min: 0 })

/** The controls, and how people read what they hold. */
export function useCampaignFields(opened: boolean, campaign: Campaign | null) {
  const [clientId, setClientId] = useState(campaign?.client.id ?? null)
  const categories = useApi(campaignCategoriesContract.list, { query: { nopag: 1 } }, { enabled: opened }).data ?? []
  const everyClient = getClientRows(useApi(clientsContract.list, { query: { nopag: 1 } }, { enabled: opened }).data)
  const siteChoices = useSiteChoices(opened, campaign, clientId)
  const categoryChoices = categories.map(({ id, name, color }) => ({ value: id, label: name, color }))
  const clientChoices = includeCurrentChoices(
    everyClient.map(({ id, name }) => ({ value: id, label: name })),
    campaign && [{ value: campaign.client.id, label: campaign.client.name }],
  )
  const fields = {
    name: textControl(campaignFieldTitles.name),
    categories: multiSelectControl(campaignFieldTitles.categories, categoryChoices),
    client_id: withChangeListener(
      selectControl(campaignFieldTitles.client_id, clientChoices, { searchable: true }),
      setClientId,
    ),
    client_sites: multiSelectControl(campaignFieldTitles.client_sites, siteChoices),
    manager: textControl(campaignFieldTitles.manager),
    start_date: dateControl(campaignFieldTitles.start_date),
    due_date: selectControl(campaignFieldTitles.due_date, dueDayChoices),
    initial_target: wholeNumberControl(campaignFieldTitles.initial_target),
    month_3_target: wholeNumberControl(campaignFieldTitles.month_3_target),
    month_6_target: wholeNumberControl(campaignFieldTitles.month_6_target),
    month_9_target: wholeNumberControl(campaignFieldTitles.month_9_target),
    month_12_target: wholeNumberControl(campaignFieldTitles.month_12_target),
    service_fee: createDollarField(campaignFieldTitles.service_fee),
    approved_ppc: createDollarField(campaignFieldTitles.approved_ppc),
    fixed_to_top: toggleControl(campaignFieldTitles.fixed_to_top),
  }
  const lists: Record<string, readonly SelectChoice<number>[]> = {
    categories: categoryChoices,
    client_id: clientChoices,
    client_sites: siteChoices,
  }
  const shown = (name: string, value: unknown) =>
    lists[name] ? formatChoiceNames(lists[name], value) : formatCampaignValue(name, value)
  return { fields, shown }
}

/** Sites of the client, those that have no campaign yet, and those of this campaign. */
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

/** What is chosen already is offered too, whether it has been read yet or is gone. */
function includeCurrentChoices(
  choices: SelectChoice<number>[],
  own: SelectChoice<number>[] | null | undefined,
): SelectChoice<number>[] {
  const offered = new Set(choices.map(({ value }) => value))
  return [...choices, ...(own ?? []).filter(({ value }) => !offered.has(value))]
}

/** The same control; somebody else hears of what it sets. */
const withChangeListener =
  <Value,>(control: FieldControl<Value>, hear: (value: Value | null) => void): FieldControl<Value> =>
  (at, controls) =>
    control(
      {
        ...at,
        set: (value) => {
          hear(value)
          at.set(value)
        },
      },
      controls,
    )

function formatChoiceNames(choices: readonly SelectChoice<number>[], picked: unknown): string | null {
  const names = [picked].flat().map((id) => choices.find(({ value }) => value === id)?.label ?? `#${id}`)
  return names.toSorted().join(', ') || null
}

function formatCampaignValue(name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (name === 'start_date') return formatDay(String(value))
  if (name === 'service_fee' || name === 'approved_ppc') return formatMoney(Number(value))
  if (name === 'fixed_to_top') return value ? 'On' : 'Off'
  return String(value)
}

const fieldLayoutClasses: Partial<Record<keyof CampaignDraft, string>> = {
  name: classes.whole,
  categories: classes.half,
  client_id: classes.half,
  client_sites: classes.whole,
  manager: classes.half,
  fixed_to_top: classes.whole,
}

/** Related fields beside each other. */
export function renderCampaignLayout(fields: Record<keyof CampaignDraft, ReactNode>) {
  return (
    <div className={classes.fields}>
      {(Object.keys(campaignFieldTitles) as (keyof CampaignDraft)[]).map((name) => (
        <div key={name} className={fieldLayoutClasses[name]}>
          {fields[name]}
        </div>
      ))}
    </div>
  )
}
