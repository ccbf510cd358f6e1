import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import type { ComponentType, MouseEvent } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { ShowMapButton } from '../area/ui/ShowMap.tsx'
import { type Campaign, campaignsContract } from '../contract.ts'
import { WorkingHoursButton } from '../hours/ui/WorkingHoursButton.tsx'
import { TermsButton } from '../terms/ui/TermsButton.tsx'
import { EditCampaignButton } from './CampaignButtons.tsx'

type CampaignAction = ComponentType<{ campaign: Campaign }>

/** The buttons of a row, in order. */
export const campaignRowActions: readonly CampaignAction[] = [
  EditCampaignButton,
  WorkingHoursButton,
  TermsButton,
  ShowMapButton,
  ArchiveToggleButton,
]

function ArchiveToggleButton({ campaign: { id, archived } }: { campaign: Campaign }) {
  const undoArchive = useAction(campaignsContract.unarchive)
  const undoRestore = useAction(campaignsContract.archive)
  const archive = useAction(campaignsContract.archive, { undo: (input) => void undoArchive.run(input) })
  const restore = useAction(campaignsContract.unarchive, { undo: (input) => void undoRestore.run(input) })
  const { run, running } = archived === 1 ? restore : archive
  const label = archived === 1 ? 'Restore' : 'Archive'
  // The second click of a double click would hit the row that has moved up.
  const once = (event: MouseEvent) => event.detail < 2 && void run({ params: { id } })
  return (
    <IconButton label={label} icon={archived === 1 ? IconArchiveOff : IconArchive} disabled={running} onClick={once} />
  )
}
