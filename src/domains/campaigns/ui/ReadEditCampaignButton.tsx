import { IconPencil } from '@tabler/icons-react'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'
import { ReadDialogButton } from '#ui/layout/ReadDialogButton.tsx'
import { campaignsContract } from '../contract.ts'

const EditCampaignDialog = lazyComponent(async () => ({
  default: (await loadPart(() => import('./CampaignDialog.tsx'))).EditCampaignDialog,
}))

/** Reads a campaign, then opens its form; for pages that do not have the whole row. */
export const ReadEditCampaignButton = ({ id, text = 'Edit' }: { id: number; text?: string }) => (
  <ReadDialogButton
    label="Edit"
    icon={IconPencil}
    text={text}
    load={() => callApi(campaignsContract.get, { params: { id } })}
  >
    {(campaign, close) => <EditCampaignDialog campaign={campaign} onClose={close} />}
  </ReadDialogButton>
)
