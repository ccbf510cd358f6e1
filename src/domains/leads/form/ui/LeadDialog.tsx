import { Button } from '@mantine/core'
import { type EffectCallback, type ReactNode, useEffect } from 'react'
import { getEmptyForm, getFormFields } from '#contract/field-definitions.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { leadDialogFields } from '#domains/leads/fields.ts'
import { formatFieldValue } from '#domains/leads/history/ui/field-labels.ts'
import { trafficSources } from '#domains/leads/labels.ts'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { useDialog } from '#ui/layout/useDialog.ts'
import { editLeadEndpoint, leadFormContract } from '../contract.ts'
import classes from './LeadDialog.module.css'

// The same title for adding and editing.
const dialogTitle = 'Edit Lead'

/** `onAdded` reloads the list: a list that holds its rows would keep the new lead as it was first read. */
export function AddLeadButton({ onAdded }: { onAdded: () => void }) {
  const dialog = useDialog<string>()
  const { fields } = useLeadFormFields(dialog.opened)
  if (!leadFormContract.create.allow(useCurrentUser())) return null
  return (
    <>
      <Button onClick={() => dialog.open(createLeadId())}>Add Lead</Button>
      <FormDialog
        title={dialogTitle}
        call={leadFormContract.create}
        start={{ ...emptyLeadForm, lead_id: dialog.subject ?? null }}
        fields={fields}
        opened={dialog.opened}
        onClose={dialog.close}
        onSaved={onAdded}
        size="xl"
        layout={renderColumns}
      />
    </>
  )
}

/** Returns an id for a lead without a provider: `manual-` and ten letters. */
const createLeadId = () =>
  `manual-${Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => String.fromCharCode(97 + (byte % 26))).join('')}`

type EditLeadDialogProps = { lead: Lead; patch: PatchLead; onClose: () => void }

export function EditLeadDialog({ lead, patch, onClose }: EditLeadDialogProps) {
  const { fields, names } = useLeadFormFields(true, lead)
  const read = (now: Lead) => {
    patch(now.id, now)
    return toLeadForm(now)
  }
  return (
    <FormDialog
      title={dialogTitle}
      call={editLeadEndpoint}
      params={{ id: lead.id }}
      start={toLeadForm(lead)}
      conflict={{ read, shown: (name, value) => formatFieldValue(name, value, names) }}
      fields={fields}
      opened
      onClose={onClose}
      size="xl"
      layout={(rendered) => renderColumns(rendered, lead)}
    />
  )
}

const wideFields = new Set(['message', 'last_url', 'referrer', 'notify'])

/** Renders two columns if there is room; of a lead only the fields that its reader may read. */
const renderColumns = (fields: Record<string, ReactNode>, lead?: Lead) => (
  <div className={`${classes.columns} ${arrange.skipEmpty}`}>
    {Object.entries(fields).map(
      ([name, field]) =>
        (!lead || name in lead) && (
          <div key={name} data-wide={wideFields.has(name) || undefined}>
            {field}
          </div>
        ),
    )}
  </div>
)

const emptyLeadForm = getEmptyForm(leadDialogFields, { lead_s: 'Callrail', notify: true })

/** What a row leaves out for its reader is not sent either. */
const toLeadForm = (lead: Lead) => ({
  ...emptyLeadForm,
  ...Object.fromEntries(getFormFields(leadDialogFields).map((name) => [name, lead[name]])),
  version: lead.version,
})

const toChoices = <Word extends string>(list: readonly Word[]) => list.map((word) => ({ value: word, label: word }))

/** The lead's own campaign can be picked even if it is archived. Picked again, it has its site and its Notify again. */
function useLeadFormFields(opened: boolean, lead?: Lead) {
  const own = lead?.campaign_id ?? null
  const all = useApi(campaignsContract.all, undefined, { enabled: opened }).data ?? []
  const sites = useApi(clientSitesContract.all, undefined, { enabled: opened }).data ?? []
  const named = new Map(all.map((campaign) => [campaign.id, campaign.name]))
  const clients = new Map<unknown, number | undefined>(all.map(({ id, client }) => [id, client?.id]))
  const campaignChoices = useCampaignChoices({ keep: own === null ? [] : [own], enabled: opened })
  const toSiteChoice = ({ id, url, campaign_id }: (typeof sites)[number]) => ({
    value: id,
    label: campaign_id ? `${url} (${named.get(campaign_id) ?? 'archived campaign'})` : url,
  })
  const fields = ({ buildFieldControls, selectControl, textControl, toggleControl }: ControlSet) => {
    const { last_url, referrer, ...others } = buildFieldControls(leadDialogFields, {
      campaign_id: selectControl('Campaign', campaignChoices, { searchable: true }),
      clientsite_id: (at) => {
        const campaign = at.other('campaign_id')
        const choices = sites.filter((site) => campaign === null || site.campaign_id === campaign)
        const siteControl = selectControl('ClientSite', choices.map(toSiteChoice), { clearable: true })
        // The lead's own campaign keeps a site that is no longer listed.
        const isForeign = campaign !== own && at.value !== null && !choices.some(({ id }) => id === at.value)
        return (
          <>
            {campaign !== own && <RunOnce run={() => () => at.set(lead?.clientsite_id ?? null)} />}
            {isForeign && <RunOnce run={() => at.set(null)} />}
            {siteControl(at)}
          </>
        )
      },
      lead_time: textControl('Lead Time', { placeholder: 'HH:mm' }),
      source: selectControl<string>('Source', toChoices(trafficSources), { clearable: true }),
      notify: (at) => {
        const campaign = at.other('campaign_id')
        const client = clients.get(campaign)
        const isOfSameClient = campaign === own || (client !== undefined && client === clients.get(own))
        if (own === null || isOfSameClient) return toggleControl('Notify')(at)
        return (
          <>
            <RunOnce
              run={() => {
                at.set(true)
                return () => at.set(lead?.notify ?? null)
              }}
            />
            {toggleControl('Email the new client')(at)}
          </>
        )
      },
    })
    // The dialog has the source before the URLs; the table has it after them.
    const { notify, ...first } = others
    return { ...first, last_url, referrer, notify }
  }
  return { fields, names: { campaigns: named, sites: new Map(sites.map(({ id, url }) => [id, url])) } }
}

/** Runs a function once, to set a field after another one changed, and what it returns when that is over. */
function RunOnce({ run }: { run: EffectCallback }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the other field has changed
  useEffect(run, [])
  return null
}
