import { type ReactNode, useState } from 'react'
import { clients, clientsOf } from '#domains/clients/contract.ts'
import { clientSites } from '#domains/sites/client/contract.ts'
import { shownMoney } from '#ui/cells/cells.tsx'
import { shownDay } from '#ui/cells/days.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { Choice } from '#ui/filters/ChoiceFilter.tsx'
import { date } from '#ui/form/DateField.tsx'
import type { Draft } from '#ui/form/FormDialog.tsx'
import { type FieldControl, multiSelect, number, select, text, toggle, whole } from '#ui/form/fields.tsx'
import { campaignCategories } from '../categories/contract.ts'
import { type Campaign, campaigns } from '../contract.ts'
import { campaignFieldTitles as labels } from '../labels.ts'
import classes from './Campaigns.module.css'

/** What both dialogs ask for. */
export type CampaignDraft = Omit<Draft<typeof campaigns.update>, 'id' | 'version'>

const days = Array.from({ length: 31 }, (_, index) => ({ value: index + 1, label: String(index + 1) }))
const dollars = (label: string) => number(label, { decimals: 2, prefix: '$', min: 0 })

/** The controls, and how people read what they hold. */
export function useCampaignFields(opened: boolean, campaign: Campaign | null) {
  const [clientId, setClientId] = useState(campaign?.client.id ?? null)
  const categories = useApi(campaignCategories.list, { query: { nopag: 1 } }, { enabled: opened }).data ?? []
  const everyClient = clientsOf(useApi(clients.list, { query: { nopag: 1 } }, { enabled: opened }).data)
  const siteChoices = useSiteChoices(opened, campaign, clientId)
  const categoryChoices = categories.map(({ id, name, color }) => ({ value: id, label: name, color }))
  const clientChoices = withOwn(
    everyClient.map(({ id, name }) => ({ value: id, label: name })),
    campaign && [{ value: campaign.client.id, label: campaign.client.name }],
  )
  const fields = {
    name: text(labels.name),
    categories: multiSelect(labels.categories, categoryChoices),
    client_id: heard(select(labels.client_id, clientChoices, { searchable: true }), setClientId),
    client_sites: multiSelect(labels.client_sites, siteChoices),
    manager: text(labels.manager),
    start_date: date(labels.start_date),
    due_date: select(labels.due_date, days),
    initial_target: whole(labels.initial_target),
    month_3_target: whole(labels.month_3_target),
    month_6_target: whole(labels.month_6_target),
    month_9_target: whole(labels.month_9_target),
    month_12_target: whole(labels.month_12_target),
    service_fee: dollars(labels.service_fee),
    approved_ppc: dollars(labels.approved_ppc),
    fixed_to_top: toggle(labels.fixed_to_top),
  }
  const lists: Record<string, readonly Choice<number>[]> = {
    categories: categoryChoices,
    client_id: clientChoices,
    client_sites: siteChoices,
  }
  const shown = (name: string, value: unknown) => (lists[name] ? namesOf(lists[name], value) : inWords(name, value))
  return { fields, shown }
}

/** Sites of the client, those that have no campaign yet, and those of this campaign. */
function useSiteChoices(opened: boolean, campaign: Campaign | null, clientId: number | null): Choice<number>[] {
  const sites = useApi(clientSites.all, undefined, { enabled: opened }).data ?? []
  const all = useApi(campaigns.all, undefined, { enabled: opened }).data ?? []
  const owners = new Map(all.map((one) => [one.id, one]))
  const isOffered = (site: (typeof sites)[number]) =>
    site.campaign_id === null ||
    site.campaign_id === campaign?.id ||
    clientId === null ||
    owners.get(site.campaign_id)?.client?.id === clientId
  return withOwn(
    sites.filter(isOffered).map(({ id, url, campaign_id }) => ({
      value: id,
      label: url,
      detail: campaign_id === null ? 'No campaign' : owners.get(campaign_id)?.name,
    })),
    campaign?.client_sites.map(({ id, url }) => ({ value: id, label: url })),
  )
}

/** What is chosen already is offered too, whether it has been read yet or is gone. */
function withOwn(choices: Choice<number>[], own: Choice<number>[] | null | undefined): Choice<number>[] {
  const offered = new Set(choices.map(({ value }) => value))
  return [...choices, ...(own ?? []).filter(({ value }) => !offered.has(value))]
}

/** The same control; somebody else hears of what it sets. */
const heard =
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

function namesOf(choices: readonly Choice<number>[], picked: unknown): string | null {
  const names = [picked].flat().map((id) => choices.find(({ value }) => value === id)?.label ?? `#${id}`)
  return names.toSorted().join(', ') || null
}

function inWords(name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (name === 'start_date') return shownDay(String(value))
  if (name === 'service_fee' || name === 'approved_ppc') return shownMoney(Number(value))
  if (name === 'fixed_to_top') return value ? 'On' : 'Off'
  return String(value)
}

const places: Partial<Record<keyof CampaignDraft, string>> = {
  name: classes.whole,
  categories: classes.half,
  client_id: classes.half,
  client_sites: classes.whole,
  manager: classes.half,
  fixed_to_top: classes.whole,
}

/** Related fields beside each other. */
export function arranged(fields: Record<keyof CampaignDraft, ReactNode>) {
  return (
    <div className={classes.fields}>
      {(Object.keys(labels) as (keyof CampaignDraft)[]).map((name) => (
        <div key={name} className={places[name]}>
          {fields[name]}
        </div>
      ))}
    </div>
  )
}
