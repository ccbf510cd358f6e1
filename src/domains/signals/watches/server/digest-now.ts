import type { Tx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { composeDigest, type MessageDraft } from './compose.ts'
import { isVisibleTo, pickSpeaking, readDueTasks, readOpenSignalsWithCampaign } from './tell-what.ts'

/** What a person's digest would be now, marked as a test. */
export async function readDigestNow(tx: Tx, context: AppContext, me: CurrentUser, day: string): Promise<MessageDraft> {
  const open = await readOpenSignalsWithCampaign(tx)
  const visible = open.filter(({ campaign_id }) => isVisibleTo(me, campaign_id))
  const signals = pickSpeaking(visible, new Date())
  const draft = composeDigest(context, signals, await readDueTasks(tx, me.id, day), day)
  const isEmpty = draft.lines.length === 0
  return { ...draft, subject: isEmpty ? 'Test: nothing to tell now' : `Test: ${draft.subject}` }
}
