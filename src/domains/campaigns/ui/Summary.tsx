import { moneyCell, percentCell } from '#ui/cells/cells.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import type { CampaignSummary } from '../contract.ts'
import classes from './Campaigns.module.css'

/** Totals and averages over all campaigns that match the filters, not just the page. */
export function CampaignSummaryTable({ summary }: { summary: CampaignSummary | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a phone must be reachable by keyboard.
    <section className={`${arrange.standalone} ${classes.summary}`} aria-label="Totals and averages" tabIndex={0}>
      <PlainTable
        aria-label="Summary"
        columns={[
          { title: 'Summary', isName: true, cell: ({ name }) => name },
          { title: 'Approved PPC', align: 'end', cell: ({ ppc }) => moneyCell(ppc) },
          { title: 'Net', align: 'end', cell: ({ net }) => moneyCell(net) },
          { title: 'PPC %', align: 'end', cell: ({ share }) => percentCell(share) },
          { title: 'Service Fee', align: 'end', cell: ({ fee }) => moneyCell(fee) },
        ]}
        rows={[
          {
            name: 'Total',
            ppc: summary?.approved_ppc.total,
            net: summary?.net.total,
            share: null,
            fee: summary?.service_fee.total,
          },
          {
            name: 'Average',
            ppc: summary?.approved_ppc.avg,
            net: null,
            share: summary?.ppc.avg,
            fee: summary?.service_fee.avg,
          },
        ]}
        rowKey={({ name }) => name}
      />
    </section>
  )
}
