import { Button } from '@mantine/core'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { formatFieldValue } from '#domains/leads/history/field-labels.ts'
import { leadProviders, leadTypes, trafficSources } from '#domains/leads/labels.ts'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import { dateControl } from '#ui/form/DateField.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { selectControl, textareaControl, textControl, toggleControl } from '#ui/form/fields.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { editLeadEndpoint, leadFormContract } from '../contract.ts'

// The dialog has one title, whether it adds or edits.
const dialogTitle = 'Edit Lead'

/** `onAdded` reads the list anew: one that holds its rows would not let the new lead in. */
export function AddLeadButton({ onAdded }: { onAdded: () => void }) {
  const dialog = useDialog()
  const { fields } = useLeadFormFields(dialog.opened)
  if (!leadFormContract.create.allow(useCurrentUser())) return null
  return (
    <>
      <Button onClick={() => dialog.open(undefined)}>Add Lead</Button>
      <FormDialog
        title={dialogTitle}
        call={leadFormContract.create}
        start={emptyLeadForm}
        fields={fields}
        opened={dialog.opened}
        onClose={dialog.close}
        onSaved={onAdded}
        size="lg"
      />
    </>
  )
}

type EditLeadDialogProps = { lead: Lead; patch: PatchLead; onClose: () => void }

export function EditLeadDialog({ lead, patch, onClose }: EditLeadDialogProps) {
  const { fields, names } = useLeadFormFields(true, lead.campaign_id)
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
      fields={{ ...fields, version: () => null }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

const emptyLeadForm = {
  campaign_id: null,
  clientsite_id: null,
  lead_date: null,
  lead_time: null,
  lead_type: null,
  lead_s: 'Callrail' as const,
  lead_id: null,
  lead_name: null,
  lead_email: null,
  lead_phone: null,
  message: null,
  source: null,
  last_url: null,
  referrer: null,
  notify: true,
}

const toLeadForm = (lead: Lead) => ({
  campaign_id: lead.campaign_id,
  clientsite_id: lead.clientsite_id,
  lead_date: lead.lead_date,
  lead_time: lead.lead_time,
  lead_type: lead.lead_type,
  lead_s: lead.lead_s,
  lead_id: lead.lead_id,
  lead_name: lead.lead_name,
  lead_email: lead.lead_email,
  lead_phone: lead.lead_phone,
  message: lead.message,
  source: lead.source ?? null,
  last_url: lead.last_url ?? null,
  referrer: lead.referrer ?? null,
  notify: lead.notify,
  version: lead.version,
})

const toChoices = <Word extends string>(list: readonly Word[]) => list.map((word) => ({ value: word, label: word }))

/** `own` is the lead's campaign, which may be picked even when it is archived. */
function useLeadFormFields(opened: boolean, own: number | null = null) {
  const all = useApi(campaignsContract.all, undefined, { enabled: opened }).data ?? []
  const sites = useApi(clientSitesContract.all, undefined, { enabled: opened }).data ?? []
  const named = new Map(all.map((campaign) => [campaign.id, campaign.name]))
  const campaignChoices = useCampaignChoices({ keep: own === null ? [] : [own], enabled: opened })
  const siteChoices = sites.map(({ id, url, campaign_id }) => ({
    value: id,
    label: campaign_id ? `${url} (${named.get(campaign_id) ?? 'archived campaign'})` : url,
  }))
  const fields = {
    campaign_id: selectControl('Campaign', campaignChoices, { searchable: true }),
    clientsite_id: selectControl('ClientSite', siteChoices),
    lead_date: dateControl('Lead Date'),
    lead_time: textControl('Lead Time', { placeholder: 'HH:mm' }),
    lead_type: selectControl('Lead Type', toChoices(leadTypes)),
    lead_s: selectControl('Lead Source', toChoices(leadProviders)),
    lead_id: textControl('Callrail Lead ID'),
    lead_name: textControl('Name'),
    lead_email: textControl('Email'),
    lead_phone: textControl('Phone'),
    message: textareaControl('Message'),
    source: selectControl<string>('Source', toChoices(trafficSources), { clearable: true }),
    last_url: textControl('Last URL'),
    referrer: textControl('Referrer'),
    notify: toggleControl('Notify'),
  }
  return { fields, names: { campaigns: named, sites: new Map(sites.map(({ id, url }) => [id, url])) } }
}
