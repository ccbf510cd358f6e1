import { countOf } from '#contract/count-of.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import text from '#ui/theme/text.module.css'
import { type ChangeEffect, insightsContract } from '../../contract.ts'
import { describePeriod, formatRate } from '../../ui/forecast-words.ts'
import classes from '../../ui/Insights.module.css'

/** The leads before and after a campaign's note, and what the difference means. */
export default function ChangeEffectNote({ itemId }: { itemId: number }) {
  const me = useCurrentUser()
  const isAllowed = me !== null && me !== undefined && insightsContract.effect.allow(me)
  const { data, error } = useApi(
    insightsContract.effect,
    { params: { id: itemId } },
    { enabled: isAllowed, quiet: true },
  )
  if (!isAllowed) return null
  return (
    <section className={classes.effect} aria-label="Leads before and after">
      {error && `Leads before and after could not be loaded: ${error.message}`}
      {!error && !data && 'Counting leads before and after…'}
      {data && <EffectSentences effect={data} />}
    </section>
  )
}

/** The leads before and after a day in two sentences, or one that says why nothing can be said. */
export function EffectSentences({ effect: { before, after, control, effect, says } }: { effect: ChangeEffect }) {
  if (!effect)
    return (
      <p>
        {after.days < before.days ? `Too early to tell (${countOf(after.days, 'day')}).` : 'Too few leads to tell.'}{' '}
        {formatRate(before.per_week)} {formatRate(before.per_week) === '1' ? 'lead' : 'leads'}/week before.
      </p>
    )
  return (
    <>
      <p>
        {says} (between {describeChange(effect.low)} and {describeChange(effect.high)}).
      </p>
      <p className={text.small}>
        Leads a week: {formatRate(before.per_week)} before ({describePeriod(before)}), {formatRate(after.per_week)}{' '}
        after ({describePeriod(after)})
        {control &&
          `; ${countOf(control.campaigns, 'other campaign')} of the category: ${control.before} and ${control.after}`}
        .
      </p>
    </>
  )
}

/** Describes a ratio of rates: 1.2 is 20% more. */
function describeChange(ratio: number): string {
  const percent = Math.round((ratio - 1) * 100)
  return percent === 0 ? 'no change' : `${Math.abs(percent)}% ${percent > 0 ? 'more' : 'fewer'}`
}
