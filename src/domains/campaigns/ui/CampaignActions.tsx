import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import type { ComponentType, MouseEvent } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { RowButton } from '#ui/table/RowButton.tsx'
import { ShowMap } from '../area/ui/ShowMap.tsx'
import { type Campaign, campaigns } from '../contract.ts'
import { WorkingHours } from '../hours/ui/HoursDialog.tsx'
import { EditCampaign } from './CampaignDialog.tsx'

type Action = ComponentType<{ campaign: Campaign }>

/** The buttons of a row, in their order. */
export const rowActions: readonly Action[] = [EditCampaign, WorkingHours, ShowMap, ArchiveOrRestore]

function ArchiveOrRestore({ campaign: { id, archived } }: { campaign: Campaign }) {
  const undoArchive = useAction(campaigns.unarchive)
  const undoRestore = useAction(campaigns.archive)
  const archive = useAction(campaigns.archive, { undo: (input) => void undoArchive.run(input) })
  const restore = useAction(campaigns.unarchive, { undo: (input) => void undoRestore.run(input) })
  const { run, running } = archived === 1 ? restore : archive
  const label = archived === 1 ? 'Restore' : 'Archive'
  // The second click of a double click meets the row that has moved up.
  const once = (event: MouseEvent) => event.detail < 2 && void run({ params: { id } })
  return (
    <RowButton label={label} icon={archived === 1 ? IconArchiveOff : IconArchive} disabled={running} onClick={once} />
  )
}
