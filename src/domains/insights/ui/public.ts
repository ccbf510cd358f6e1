import { lazyComponent } from '#ui/data/lazy-part.ts'

export { EventLane } from '../events/ui/EventLane.tsx'
export { WhyButton } from '../why/ui/WhyButton.tsx'
export { WhyCaption } from '../why/ui/WhyCaption.tsx'
export { ForecastPopover } from './ForecastPopover.tsx'
export { ForecastScoreNote } from './ForecastScore.tsx'
export { describeCases, formatForecast, formatRate } from './forecast-words.ts'
export { useForecastTrust } from './use-forecast-trust.ts'

/** Loads after the numbers that stand above it. */
export const CycleForecast = lazyComponent(() => import('./CycleForecast.tsx'))
/** Stands below what is looked at first, and loads after it. */
export const CampaignTimeline = lazyComponent(() => import('../events/ui/CampaignTimeline.tsx'))
