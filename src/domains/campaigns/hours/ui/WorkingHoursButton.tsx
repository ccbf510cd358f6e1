import { IconClock } from '@tabler/icons-react'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ReadDialogButton } from '#ui/layout/ReadDialogButton.tsx'
import { workingHoursContract } from '../contract.ts'

const WorkingHoursDialog = lazyComponent(() => import('./WorkingHoursDialog.tsx'))

/** Reads the current hours, then opens their dialog. `text` replaces the icon. */
export const WorkingHoursButton = ({ campaign, text }: { campaign: { id: number; name: string }; text?: string }) => (
  <ReadDialogButton
    label="Working hours"
    icon={IconClock}
    text={text}
    load={() => callApi(workingHoursContract.read, { params: { id: campaign.id } })}
  >
    {(start, close) => <WorkingHoursDialog campaign={campaign} start={start} onClose={close} />}
  </ReadDialogButton>
)
