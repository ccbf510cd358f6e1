import { moneyCell, percentCell, textCell } from '#ui/cells/cells.tsx'
import type { CampaignSummary } from '../contract.ts'
import classes from './Campaigns.module.css'

/** Totals and averages over all campaigns that match the filters, not just the page. */
export function CampaignSummaryTable({ summary }: { summary: CampaignSummary | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a phone must be reachable by keyboard.
    <section className={classes.summary} aria-label="Totals and averages" tabIndex={0}>
      <table aria-label="Summary">
        <thead>
          <tr>
            <th scope="col">Summary</th>
            <th scope="col">Approved PPC</th>
            <th scope="col">Net</th>
            <th scope="col">PPC %</th>
            <th scope="col">Service Fee</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Total</th>
            <td>{moneyCell(summary?.approved_ppc.total)}</td>
            <td>{moneyCell(summary?.net.total)}</td>
            <td>{textCell(null)}</td>
            <td>{moneyCell(summary?.service_fee.total)}</td>
          </tr>
          <tr>
            <th scope="row">Average</th>
            <td>{moneyCell(summary?.approved_ppc.avg)}</td>
            <td>{textCell(null)}</td>
            <td>{percentCell(summary?.ppc.avg)}</td>
            <td>{moneyCell(summary?.service_fee.avg)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}
