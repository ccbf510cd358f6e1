import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { insightsContract } from '../../contract.ts'
import classes from '../../ui/Insights.module.css'
import { WhyButton } from './WhyButton.tsx'
import { describeShortfall } from './why-words.ts'

/** The last 30 days in one sentence, with a button for the causes; nothing without the right to read them. */
export function WhyCaption({ campaign }: { campaign: { id: number; name: string } }) {
  const me = useCurrentUser()
  const isAllowed = me !== null && me !== undefined && insightsContract.why.allow(me)
  const { data, error } = useApi(
    insightsContract.why,
    { params: { id: campaign.id }, query: {} },
    { enabled: isAllowed, quiet: true },
  )
  if (!isAllowed) return null
  return (
    <div className={`${arrange.ends} ${classes.caption}`}>
      {/* Keeps its line while it loads, so that what is below does not move. */}
      <p>{data ? describeShortfall(data) : error ? `The causes could not be loaded: ${error.message}` : '\u00a0'}</p>
      <WhyButton campaign={campaign} />
    </div>
  )
}
