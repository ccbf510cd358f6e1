import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { lazyComponent, loadPart } from '#ui/data/lazy-part.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Campaign, campaignsContract } from '../contract.ts'

// The dialogs load when the first one opens.
const loadDialogs = () => loadPart(() => import('./CampaignDialog.tsx'))
const CreateCampaignDialog = lazyComponent(async () => ({ default: (await loadDialogs()).CreateCampaignDialog }))
export const EditCampaignDialog = lazyComponent(async () => ({ default: (await loadDialogs()).EditCampaignDialog }))

type CreateCampaignProps = {
  label?: string
  /** Fills in the client. */
  client?: { id: number; name: string }
  onSaved: (campaign: Campaign) => void
}

export function CreateCampaignButton({ label = 'Create New Campaign', client, onSaved }: CreateCampaignProps) {
  const dialog = useDialog()
  if (!campaignsContract.create.allow(useCurrentUser())) return null
  return (
    <>
      <Button onClick={() => dialog.open(undefined)}>{label}</Button>
      {dialog.opened && (
        <Suspense>
          <CreateCampaignDialog client={client} onSaved={onSaved} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  )
}

/** A cheap button for each row; the form is created when opened. */
export function EditCampaignButton({ campaign }: { campaign: Campaign }) {
  const dialog = useDialog()
  return (
    <>
      <IconButton label="Edit" icon={IconPencil} onClick={() => dialog.open(undefined)} />
      {dialog.opened && (
        <Suspense>
          <EditCampaignDialog campaign={campaign} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  )
}
