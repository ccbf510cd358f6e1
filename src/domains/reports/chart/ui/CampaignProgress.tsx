import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { RunRateCell } from '#domains/reports/weekly-report/ui/LeftColumns.tsx'
import { PpcSwitch } from '#domains/reports/weekly-report/ui/StateCells.tsx'
import { countCell, textCell } from '#ui/cells/cells.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import type { LeadChart } from '../contract.ts'
import classes from './Chart.module.css'

type CampaignProgressTableProps = { me: CurrentUserDto; campaign: NonNullable<LeadChart['campaign']>; name: string }

/** The campaign's progress in its cycle. The client, the target and the run rate are for admins. */
export function CampaignProgressTable({ me, campaign, name }: CampaignProgressTableProps) {
  const cells = [
    ...(me.isAdmin ? [['Client', textCell(campaign.client?.name)] as const] : []),
    ['PPC', <PpcSwitch key="ppc" me={me} campaign={{ ...campaign, name }} />] as const,
    ...(me.isAdmin ? [['Target', countCell(campaign.leads_target)] as const] : []),
    ['Verified', countCell(campaign.current_leads)] as const,
    ['Missed', countCell(campaign.missed_leads)] as const,
    ['Days Left', campaign.days_left] as const,
    ...(me.isAdmin ? [['Run Rate', <RunRateCell key="rate" {...campaign} />] as const] : []),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls on a phone must be reachable by keyboard.
    <section className={`${arrange.standalone} ${classes.cycle}`} aria-label="This cycle" tabIndex={0}>
      <PlainTable
        aria-label={name}
        columns={cells.map(([title, cell]) => ({ title, cell: () => cell }))}
        rows={[campaign]}
        rowKey={() => name}
      />
    </section>
  )
}
