import { implementContract } from '#domains/app-context.ts'
import { signalsContract } from '../contract.ts'
import { addSignalTask, claimSignal, lockOpenSignal, muteSignal, unclaimSignal } from './mutations.ts'
import { probeSignal } from './probe.ts'
import { countSignals, readSignal, readSignalsPage } from './queries.ts'
import { runSignals } from './runner.ts'
import { readSignalDetail } from './signal-detail.ts'

export const signalsHandlers = implementContract(signalsContract, {
  list: ({ db, me, query, context }) => readSignalsPage(db, me, query, context.settings.AGENCY_TIMEZONE),

  read: ({ db, me, params, context }) => readSignalDetail(db, me, params.id, context.settings.AGENCY_TIMEZONE),

  count: ({ db, me }) => countSignals(db, me),

  claim: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await claimSignal(tx, by, params.id)
      return readSignal(tx, by.me, params.id)
    }),

  unclaim: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await unclaimSignal(tx, by, params.id)
      return readSignal(tx, by.me, params.id)
    }),

  mute: ({ db, params, body, context, ...by }) =>
    db.transaction(async (tx) => {
      await muteSignal(tx, by, params.id, body.until, context.settings.AGENCY_TIMEZONE)
      return readSignal(tx, by.me, params.id)
    }),

  probe: async ({ db, me, params, context }) => {
    await db.transaction((tx) => lockOpenSignal(tx, me, params.id))
    await probeSignal(context, params.id, { isByHand: true })
    await runSignals(context)
    return readSignal(db, me, params.id)
  },

  task: ({ db, params, body, context, ...by }) =>
    db.transaction(async (tx) => {
      await addSignalTask(tx, by, params.id, body ?? {}, context.settings.AGENCY_TIMEZONE)
      return readSignal(tx, by.me, params.id)
    }),
})
