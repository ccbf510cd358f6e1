import { useState } from 'react'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import type { ForecastScoreAnswer } from '../contract.ts'
import classes from './Insights.module.css'
import { useForecastTrust } from './use-forecast-trust.ts'

/** How accurate the chances were, in a sentence, with the numbers on demand. It also explains why forecasts are hidden. */
export function ForecastScoreNote() {
  const { score, isShown } = useForecastTrust()
  const [isOpen, setOpen] = useState(false)
  // Keeps its line while it loads, so that what is below does not move.
  if (!score) return isShown ? <span className={text.small}>{'\u00a0'}</span> : null
  return (
    <span className={text.small}>
      {score.says}.{!isShown && ' So the chance is not shown.'}{' '}
      {score.cases > 0 && (
        <button type="button" className={classes.plain} data-link aria-haspopup="dialog" onClick={() => setOpen(true)}>
          See track record
        </button>
      )}
      <ModalDialog opened={isOpen} onClose={() => setOpen(false)} title="Track record" size="lg">
        <ForecastScoreTable score={score} />
      </ModalDialog>
    </span>
  )
}

/** Forecast chances and outcomes, in ten bins. */
function ForecastScoreTable({ score }: { score: ForecastScoreAnswer }) {
  const { bins, cases, says, ...brier } = score
  return (
    <>
      <p className={text.medium}>{says}.</p>
      <p>
        Each ended cycle was forecast at its days 5, 10, 15, 20 and 25, from what was known then:{' '}
        {cases.toLocaleString('en-US')} forecasts. Where 20 to 30% was said, 20 to 30% of the cycles should have reached
        their target.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a phone must be reachable by keyboard. */}
      <section className={classes.scroller} aria-label="Said and happened" tabIndex={0}>
        <PlainTable
          className={`${classes.table} ${text.numbers}`}
          columns={[
            {
              title: 'Said',
              isName: true,
              cell: ({ from, to }) => `${Math.round(from * 100)} to ${Math.round(to * 100)}%`,
            },
            { title: 'Forecasts', cell: ({ cases: inBin }) => inBin.toLocaleString('en-US') },
            { title: 'Said on average', cell: ({ said }) => formatShare(said) },
            { title: 'Reached the target', cell: ({ happened }) => formatShare(happened) },
          ]}
          rows={bins}
          rowKey={({ from }) => from}
        />
      </section>
      <p>
        Mean squared miss (Brier score, 0 is perfect): the chance {formatBrier(brier.brier)}, the run rate{' '}
        {formatBrier(brier.brier_run_rate)}, always saying the base rate {formatBrier(brier.brier_base_rate)}.
      </p>
    </>
  )
}

const formatShare = (share: number | null) => (share === null ? '–' : `${Math.round(share * 100)}%`)
const formatBrier = (score: number | null) => score?.toFixed(3) ?? '–'
