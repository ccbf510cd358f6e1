import { useState } from 'react'
import { addDays, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { SmallSelect } from '#ui/filters/SmallSelect.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import classes from '../../ui/Insights.module.css'
import { WhySummary } from './WhySummary.tsx'

const spanChoices = [
  { value: 14, label: 'Last 14 days' },
  { value: 30, label: 'Last 30 days' },
  { value: 90, label: 'Last 90 days' },
]

type WhyDialogProps = { campaign: { id: number; name: string }; onClose: () => void }

export default function WhyDialog({ campaign, onClose }: WhyDialogProps) {
  const [days, setDays] = useState(30)
  const to = getToday(appConfig.timezone)
  return (
    <ModalDialog opened onClose={onClose} title={`Why: ${campaign.name}`} size="lg">
      <div className={classes.span}>
        <SmallSelect label="Days" value={days} choices={spanChoices} choose={setDays} />
      </div>
      <WhySummary campaign={campaign} from={addDays(to, 1 - days)} to={to} />
    </ModalDialog>
  )
}
