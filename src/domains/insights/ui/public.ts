import { lazyComponent } from '#ui/data/lazy-part.ts'

export { EventLane } from '../events/ui/EventLane.tsx'
export { ChangeEffectNote } from '../why/ui/ChangeEffectNote.tsx'
export { WhyButton } from '../why/ui/WhyButton.tsx'
export { CycleForecast } from './CycleForecast.tsx'
export { ForecastPopover } from './ForecastPopover.tsx'
export { ForecastScoreNote } from './ForecastScore.tsx'
export { describeCases, formatRate } from './forecast-words.ts'
export { useForecastTrust } from './use-forecast-trust.ts'

/** Stands below what is looked at first, and loads after it. */
export const CampaignTimeline = lazyComponent(() => import('../events/ui/CampaignTimeline.tsx'))
