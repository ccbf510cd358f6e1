import type { CampaignEvent } from '../contract.ts'

/** Returns whether the event has a time of day; notes and tasks only have a day. */
export const hasTime = ({ kind }: Pick<CampaignEvent, 'kind'>) => kind !== 'note' && kind !== 'task'

export type EventFold = [CampaignEvent, ...CampaignEvent[]]

/** Groups consecutive events of the same minute and actor, such as a check that finds much at once. */
export function foldEvents(events: readonly CampaignEvent[]): EventFold[] {
  const folds: EventFold[] = []
  for (const event of events) {
    const last = folds.at(-1)
    if (last && isSameMinute(last[0], event)) last.push(event)
    else folds.push([event])
  }
  return folds
}

const isSameMinute = (a: CampaignEvent, b: CampaignEvent) =>
  hasTime(a) && hasTime(b) && a.by === b.by && a.username === b.username && minuteOf(a) === minuteOf(b)
const minuteOf = ({ at }: CampaignEvent) => Math.floor(Date.parse(at) / 60_000)
