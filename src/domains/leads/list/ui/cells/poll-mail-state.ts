import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { mailState } from '#domains/leads/labels.ts'
import { callApi } from '#ui/data/api.ts'
import type { PatchLead } from '../lead-mutations.ts'

/** Seconds between polls. A mail that takes longer shows its outcome with the next reload. */
const pollDelays = [1, 2, 4, 8, 15]

/** Reads a lead's latest email until it is sent or has failed, and shows that in the row. */
export async function pollMailState(id: number, patch: PatchLead) {
  for (const seconds of pollDelays) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    // After a failure the next poll tries again.
    const [latest] = (await callApi(leadHistoryContract.read, { params: { id } }).catch(() => null))?.mails ?? []
    if (!latest || latest.state === mailState.queued || latest.state === mailState.sending) continue
    const { kind, state, created_at, sent_at, error } = latest
    patch(id, { mail: { kind, state, at: sent_at ?? created_at, ...(error && { error }) } })
    return
  }
}
