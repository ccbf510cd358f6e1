import type { QueryInput } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { type StatementSums, statementsContract } from '../contract.ts'
import { type StatementView, statementViews } from '../labels.ts'
import classes from './StatementTiles.module.css'

const tiles: { view: StatementView; label: string }[] = [
  { view: 'to_send', label: 'To send' },
  { view: 'sent', label: 'Sent' },
  { view: 'unpaid', label: 'Unpaid' },
]

type StatementTilesProps = {
  query: QueryInput<typeof statementsContract.sums>
  chosen: StatementView | null
  choose: (view: StatementView | null) => void
}

/** The sums of a month, of what is listed; each tile shows its statements, and all of them when it is chosen again. */
export function StatementTiles({ query, chosen, choose }: StatementTilesProps) {
  const { data } = useApi(statementsContract.sums, { query }, { quiet: true })
  return (
    <fieldset className={classes.tiles} aria-label="Statements of the month">
      {tiles.map(({ view, label }) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === chosen}
          className={`${arrange.framed} ${arrange.lines} ${classes.tile}`}
          data-hover
          onClick={() => choose(view === chosen ? null : view)}
        >
          <span className={text.caption}>{label}</span>
          <b>{data ? renderSum(data[view]) : '…'}</b>
        </button>
      ))}
    </fieldset>
  )
}

/** On a phone the amount stands below the count. */
const renderSum = ({ count, total }: StatementSums[StatementView]) => (
  <>
    {count}
    <span> · </span>
    <span className={text.oneLine}>{formatMoney(total)}</span>
  </>
)

/** Returns the view that has just these states. */
export const findView = (states: readonly string[] | undefined): StatementView | null =>
  tiles.find(({ view }) => statementViews[view].join() === states?.join())?.view ?? null
