import { Button } from '@mantine/core'
import { useMe } from '#domains/access/ui/current-user.ts'
import { campaigns } from '#domains/campaigns/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/useCampaignChoices.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { shownValue } from '#domains/leads/history/field-labels.ts'
import { leadSources, leadTypes, sources } from '#domains/leads/labels.ts'
import { newerLead, type Patch } from '#domains/leads/list/ui/lead-mutations.ts'
import { clientSites } from '#domains/sites/client/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import { date } from '#ui/form/DateField.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { select, text, textarea, toggle } from '#ui/form/fields.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { adding, editLead } from '../contract.ts'

// The dialog has one title, whether it adds or edits.
const title = 'Edit Lead'

/** `onAdded` reads the list anew: one that holds its rows would not let the new lead in. */
export function AddLead({ onAdded }: { onAdded: () => void }) {
  const dialog = useDialog()
  const { fields } = useFields(dialog.opened)
  if (!adding.create.allow(useMe())) return null
  return (
    <>
      <Button onClick={() => dialog.open(undefined)}>Add Lead</Button>
      <FormDialog
        title={title}
        call={adding.create}
        start={empty}
        fields={fields}
        opened={dialog.opened}
        onClose={dialog.close}
        onSaved={onAdded}
        size="lg"
      />
    </>
  )
}

type EditProps = { lead: Lead; patch: Patch; onClose: () => void }

export function EditDialog({ lead, patch, onClose }: EditProps) {
  const { fields, names } = useFields(true, lead.campaign_id)
  const read = (problem: unknown) => {
    const now = newerLead(problem)
    if (!now) return undefined
    patch(now.id, now)
    return startOf(now)
  }
  return (
    <FormDialog
      title={title}
      call={editLead}
      params={{ id: lead.id }}
      start={startOf(lead)}
      newer={{ read, shown: (name, value) => shownValue(name, value, names) }}
      fields={{ ...fields, version: () => null }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

const empty = {
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

const startOf = (lead: Lead) => ({
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

const words = <Word extends string>(list: readonly Word[]) => list.map((word) => ({ value: word, label: word }))

/** `own` is the lead's campaign, which may be picked even when it is archived. */
function useFields(opened: boolean, own: number | null = null) {
  const all = useApi(campaigns.all, undefined, { enabled: opened }).data ?? []
  const sites = useApi(clientSites.all, undefined, { enabled: opened }).data ?? []
  const named = new Map(all.map((campaign) => [campaign.id, campaign.name]))
  const campaignChoices = useCampaignChoices({ keep: own === null ? [] : [own], enabled: opened })
  const siteChoices = sites.map(({ id, url, campaign_id }) => ({
    value: id,
    label: campaign_id ? `${url} (${named.get(campaign_id) ?? 'archived campaign'})` : url,
  }))
  const fields = {
    campaign_id: select('Campaign', campaignChoices, { searchable: true }),
    clientsite_id: select('ClientSite', siteChoices),
    lead_date: date('Lead Date'),
    lead_time: text('Lead Time', { placeholder: 'HH:mm' }),
    lead_type: select('Lead Type', words(leadTypes)),
    lead_s: select('Lead Source', words(leadSources)),
    lead_id: text('Callrail Lead ID'),
    lead_name: text('Name'),
    lead_email: text('Email'),
    lead_phone: text('Phone'),
    message: textarea('Message'),
    source: select<string>('Source', words(sources), { clearable: true }),
    last_url: text('Last URL'),
    referrer: text('Referrer'),
    notify: toggle('Notify'),
  }
  return { fields, names: { campaigns: named, sites: new Map(sites.map(({ id, url }) => [id, url])) } }
}
