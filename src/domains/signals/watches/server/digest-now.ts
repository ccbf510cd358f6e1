import type { Tx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { WatchChannel } from '../labels.ts'
import { composeDigest, type MessageDraft } from './compose.ts'
import { findDigestClock, findWatch } from './find-watch.ts'
import { pickSpeaking, pickVisible, readDueTasks, readOpenSignalsWithCampaign } from './tell-what.ts'
import type { StoredWatches } from './watches.ts'

/** Returns what a user would be sent now through each of their channels, marked as a test. */
export async function readDigestNow(
  tx: Tx,
  context: AppContext,
  { me, watches: { watches } }: { me: CurrentUser; watches: StoredWatches },
  day: string,
): Promise<{ channel: WatchChannel; draft: MessageDraft }[]> {
  const zone = context.settings.AGENCY_TIMEZONE
  const open = pickSpeaking(pickVisible(await readOpenSignalsWithCampaign(tx), me), new Date())
  const channeled = open.map((signal) => ({ signal, channel: findWatch(watches, signal, zone).channel }))
  const clock = findDigestClock(watches, zone).channel
  const tasks = await readDueTasks(tx, me.id, day)
  const isClockAsked = watches.length === 0 || tasks.length > 0
  const channels = new Set([...watches, ...channeled].map(({ channel }) => channel).concat(isClockAsked ? clock : []))
  return [...channels]
    .filter((channel) => channel !== 'none')
    .map((channel) => {
      const signals = channeled.filter((one) => one.channel === channel).map(({ signal }) => signal)
      const draft = composeDigest(context, signals, channel === clock ? tasks : [], day)
      const subject = draft.lines.length === 0 ? 'Test: nothing to report now' : `Test: ${draft.subject}`
      return { channel, draft: { ...draft, subject } }
    })
}
