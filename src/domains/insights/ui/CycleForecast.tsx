import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { WholeNumberInput } from '#ui/form/WholeNumberInput.tsx'
import text from '#ui/theme/text.module.css'
import { insightsContract } from '../contract.ts'
import { WhyButton } from '../why/ui/WhyButton.tsx'
import { CourseDrawing } from './CourseDrawing.tsx'
import { ForecastScoreNote } from './ForecastScore.tsx'
import { ForecastFacts } from './ForecastSummary.tsx'
import classes from './Insights.module.css'
import { useForecastTrust } from './use-forecast-trust.ts'

type CycleForecastProps = { campaign: { id: number; name: string } }

/** The running cycle: verified leads by day, the target, the forecast range, and the effect of another target or due day. */
export default function CycleForecast({ campaign }: CycleForecastProps) {
  const me = useCurrentUser()
  const [target, setTarget] = useState<number | null>(null)
  const [dueDay, setDueDay] = useState<number | null>(null)
  const { isShown } = useForecastTrust()
  const isAllowed = me !== null && me !== undefined && insightsContract.forecast.allow(me)
  const tried = { ...asQuery('target', target, 100_000), ...asQuery('due_date', dueDay, 31) }
  const { data, error, refetch, isFetching } = useApi(
    insightsContract.forecast,
    { params: { id: campaign.id }, query: tried },
    { quiet: true, keepPrevious: true, enabled: isAllowed },
  )
  if (!isAllowed) return null
  const isTried = Object.keys(tried).length > 0
  return (
    <section className={classes.card} aria-label="Cycle forecast" aria-busy={isFetching}>
      <div className={classes.head}>
        <h2>This cycle</h2>
        <WhyButton campaign={campaign} />
      </div>
      {error && !data && <QueryError what="This forecast" error={error} retry={refetch} />}
      {!error && !data && <div className={classes.bone} role="status" aria-label="Loading" />}
      {data && (
        <div className={classes.columns}>
          <CourseDrawing forecast={data} withFan={isShown} />
          <div className={classes.facts}>
            {isShown ? (
              <ForecastFacts forecast={data}>
                <ForecastScoreNote />
              </ForecastFacts>
            ) : (
              <ForecastScoreNote />
            )}
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a wrapping row in every browser. */}
            <div className={classes.tries} data-unprinted role="group" aria-label="What if">
              <WholeNumberInput label="Try another target" value={target} set={setTarget} />
              <WholeNumberInput
                label="Try another due day"
                value={dueDay}
                set={setDueDay}
                error={dueDayError(dueDay)}
              />
              {isTried && (
                <>
                  <Button
                    variant="default"
                    onClick={() => {
                      setTarget(null)
                      setDueDay(null)
                    }}
                  >
                    Back to the stored values
                  </Button>
                  <span className={text.small}>Preview only: nothing is saved.</span>
                </>
              )}
            </div>
          </div>
        </div>
      )}
    </section>
  )
}

/** Returns the query for a valid value; while the input is invalid, the stored value is used. */
const asQuery = (name: 'target' | 'due_date', value: number | null, most: number) =>
  value !== null && value >= 1 && value <= most ? { [name]: value } : {}
const dueDayError = (day: number | null) => (day !== null && !(day >= 1 && day <= 31) ? 'From 1 to 31' : undefined)
