import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { getEmptyForm, getFormValues } from '#contract/field-definitions.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Campaign, campaignsContract } from '../contract.ts'
import { campaignFields } from '../fields.ts'
import { renderCampaignLayout, useCampaignFields } from './CampaignFields.tsx'

type CreateCampaignProps = {
  label?: string
  /** Fills in the client. */
  client?: { id: number; name: string }
  onSaved: (campaign: Campaign) => void
}

export function CreateCampaignButton({ label = 'Create New Campaign', client, onSaved }: CreateCampaignProps) {
  const dialog = useDialog()
  const { fields } = useCampaignFields(dialog.opened, null, client)
  if (!campaignsContract.create.allow(useCurrentUser())) return null
  return (
    <>
      <Button onClick={() => dialog.open(undefined)}>{label}</Button>
      <FormDialog
        title="Create New Campaign"
        call={campaignsContract.create}
        start={getEmptyForm(campaignFields, { categories: [], ...(client ? { client_id: client.id } : {}) })}
        fields={fields}
        layout={renderCampaignLayout}
        opened={dialog.opened}
        onClose={dialog.close}
        onSaved={onSaved}
        size="xl"
      />
    </>
  )
}

/** A cheap button for each row; the form is created when opened. */
export function EditCampaignButton({ campaign }: { campaign: Campaign }) {
  const dialog = useDialog()
  return (
    <>
      <IconButton label="Edit" icon={IconPencil} onClick={() => dialog.open(undefined)} />
      {dialog.opened && <EditCampaignDialog campaign={campaign} onClose={dialog.close} />}
    </>
  )
}

export function EditCampaignDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { fields, shown } = useCampaignFields(true, campaign)
  return (
    <FormDialog
      title="Edit Campaign"
      call={campaignsContract.update}
      params={{ id: campaign.id }}
      start={toCampaignFormValues(campaign)}
      fields={(controls) => ({ ...fields(controls), id: () => null, version: () => null })}
      layout={renderCampaignLayout}
      conflict={{ read: toCampaignFormValues, shown }}
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

const toCampaignFormValues = (campaign: Campaign) => ({
  ...getFormValues(campaignFields, campaign),
  id: campaign.id,
  version: campaign.version,
  categories: campaign.categories.map(({ id }) => id),
  client_id: campaign.client.id,
  client_sites: campaign.client_sites.map(({ id }) => id),
})
