export { CampaignTimeline } from '../events/ui/CampaignTimeline.tsx'
export { type DayPosition, EventLane } from '../events/ui/EventLane.tsx'
