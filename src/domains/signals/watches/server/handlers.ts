import { getToday } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { watchesContract } from '../contract.ts'
import type { WatchChannel } from '../labels.ts'
import { composeDigest, type MessageDraft } from './compose.ts'
import { findDigestClock, findWatch } from './find-watch.ts'
import {
  type MessageReader,
  pickUnhandledCauses,
  pickVisibleSignals,
  readDueTasks,
  readOpenSignalsWithCampaign,
} from './message-signals.ts'
import { queueDraft } from './send-messages.ts'
import { readWatches, type StoredWatches, saveWatches } from './watches.ts'

const toAnswer = ({ digest_day: _day, ...answer }: StoredWatches) => answer

export const watchesHandlers = implementContract(watchesContract, {
  read: async ({ db, me, context }) => toAnswer(await readWatches(db, context, me.id)),

  save: ({ db, body, context, ...by }) =>
    db.transaction(async (tx) => {
      await saveWatches(tx, context, by, body)
      return toAnswer(await readWatches(tx, context, by.me.id))
    }),

  test: ({ db, me, context }) =>
    db.transaction(async (tx) => {
      const watches = await readWatches(tx, context, me.id)
      const drafts = await readDigestNow(tx, context, { me, watches }, getToday(context.settings.AGENCY_TIMEZONE))
      const sent = []
      for (const { channel, draft } of drafts) sent.push(await queueDraft(tx, context, { me, watches }, channel, draft))
      return { sent }
    }),
})

/** Returns what a user would be sent now through each of their channels, marked as a test. */
async function readDigestNow(
  tx: Tx,
  context: AppContext,
  person: MessageReader,
  day: string,
): Promise<{ channel: WatchChannel; draft: MessageDraft }[]> {
  const { me } = person
  const { watches } = person.watches
  const zone = context.settings.AGENCY_TIMEZONE
  const open = pickUnhandledCauses(pickVisibleSignals(await readOpenSignalsWithCampaign(tx), me))
  const channeled = open.map((signal) => ({ signal, channel: findWatch(watches, signal, zone).channel }))
  const clock = findDigestClock(watches, zone).channel
  const tasks = await readDueTasks(tx, person, day, zone)
  const isClockAsked = watches.length === 0 || tasks.length > 0
  const channels = new Set([...watches, ...channeled].map(({ channel }) => channel).concat(isClockAsked ? clock : []))
  return [...channels]
    .filter((channel) => channel !== 'none')
    .map((channel) => {
      const signals = channeled.filter((one) => one.channel === channel).map(({ signal }) => signal)
      const draft = composeDigest(context, signals, channel === clock ? tasks : [], day)
      const subject = draft.groups.length === 0 ? 'Test: nothing to report now' : `Test: ${draft.subject}`
      return { channel, draft: { ...draft, subject } }
    })
}
