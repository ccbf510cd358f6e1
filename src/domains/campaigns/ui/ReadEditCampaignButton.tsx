import { IconPencil } from '@tabler/icons-react'
import { callApi } from '#ui/data/api.ts'
import { ReadDialogButton } from '#ui/layout/ReadDialogButton.tsx'
import { campaignsContract } from '../contract.ts'
import { EditCampaignDialog } from './CampaignButtons.tsx'

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
