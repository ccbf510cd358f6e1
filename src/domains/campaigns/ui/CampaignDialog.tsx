import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { RowButton } from '#ui/table/RowButton.tsx'
import { campaignCategoriesContract } from '../categories/contract.ts'
import { type Campaign, campaignsContract } from '../contract.ts'
import { type CampaignDraft, renderCampaignLayout, useCampaignFields } from './CampaignFields.tsx'

/** What saving a campaign changes elsewhere. */
const relatedQueries = [clientSitesContract.all, campaignCategoriesContract.list, clientsContract.list]

export function CreateCampaignButton() {
  const dialog = useDialog()
  const { fields } = useCampaignFields(dialog.opened, null)
  if (!campaignsContract.create.allow(useCurrentUser())) return null
  return (
    <>
      <Button onClick={() => dialog.open(undefined)}>Create New Campaign</Button>
      <FormDialog
        title="Create New Campaign"
        call={campaignsContract.create}
        start={emptyCampaignDraft}
        fields={fields}
        layout={renderCampaignLayout}
        refreshes={relatedQueries}
        opened={dialog.opened}
        onClose={dialog.close}
        size="xl"
      />
    </>
  )
}

/** A light button for each row; the form behind it is made when it is opened. */
export function EditCampaignButton({ campaign }: { campaign: Campaign }) {
  const dialog = useDialog()
  return (
    <>
      <RowButton label="Edit" icon={IconPencil} onClick={() => dialog.open(undefined)} />
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
      fields={{ ...fields, id: () => null, version: () => null }}
      layout={renderCampaignLayout}
      conflict={{ read: toCampaignFormValues, shown }}
      refreshes={relatedQueries}
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

const emptyCampaignDraft: CampaignDraft = {
  name: null,
  categories: [],
  client_id: null,
  client_sites: [],
  manager: null,
  start_date: null,
  due_date: null,
  initial_target: null,
  month_3_target: null,
  month_6_target: null,
  month_9_target: null,
  month_12_target: null,
  service_fee: null,
  approved_ppc: null,
  fixed_to_top: 0,
}

const toCampaignFormValues = (campaign: Campaign) => ({
  id: campaign.id,
  name: campaign.name,
  categories: campaign.categories.map(({ id }) => id),
  client_id: campaign.client.id,
  client_sites: campaign.client_sites.map(({ id }) => id),
  manager: campaign.manager,
  start_date: campaign.start_date,
  due_date: campaign.due_date,
  initial_target: campaign.initial_target,
  month_3_target: campaign.month_3_target,
  month_6_target: campaign.month_6_target,
  month_9_target: campaign.month_9_target,
  month_12_target: campaign.month_12_target,
  service_fee: campaign.service_fee,
  approved_ppc: campaign.approved_ppc,
  fixed_to_top: campaign.fixed_to_top,
  version: campaign.version,
})
