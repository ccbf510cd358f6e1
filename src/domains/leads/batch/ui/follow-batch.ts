import { ApiError, callApi } from '#ui/data/api.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { type LeadBatch, leadBatchContract } from '../contract.ts'
import { formatLeadCount } from './batch-words.ts'

const pollMs = 500

export const isBatchOver = ({ state }: LeadBatch) => state !== 'queued' && state !== 'running'

/**
 * Polls a batch until it is over. Shows why it failed, if it did: what it has changed by then can be undone. Calls `tell` with the
 * progress.
 */
export async function followBatch(begun: LeadBatch, tell?: (batch: LeadBatch) => void): Promise<LeadBatch> {
  let batch = begun
  while (!isBatchOver(batch)) {
    tell?.(batch)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    batch = await readBatchAgain(batch)
  }
  if (batch.state === 'failed') toastError(new Error(describeFailure(batch)))
  return batch
}

const describeFailure = ({ problem, changed, skipped }: LeadBatch) =>
  `${problem ?? 'Failed'}: ${formatLeadCount(changed)} changed, ${skipped.length.toLocaleString('en-US')} not`

/**
 * Undoes a batch. Returns `done`, or which leads stay as they are because someone has changed them since; null after a failure, which
 * it shows: it can be tried again.
 */
export async function undoBatch(id: number, done: string, tell?: (batch: LeadBatch) => void): Promise<string | null> {
  try {
    const batch = await followBatch(await callApi(leadBatchContract.undo, { params: { id } }), tell)
    if (batch.state === 'failed') return null
    return batch.skipped.length > 0 ? describeKept(batch) : done
  } catch (problem) {
    // Refused for good: it is undone already, or its leads are out of reach.
    if (problem instanceof ApiError && problem.status >= 400 && problem.status < 500) return problem.message
    toastError(problem)
    return null
  }
}

/** A failed request is not a failure of the batch, which continues on the server. */
async function readBatchAgain(batch: LeadBatch): Promise<LeadBatch> {
  try {
    return await callApi(leadBatchContract.get, { params: { id: batch.id } })
  } catch (problem) {
    if (problem instanceof ApiError && (problem.status === 0 || problem.status >= 500)) return batch
    throw problem
  }
}

const maxNamed = 5

function describeKept({ changed, skipped }: LeadBatch): string {
  const undone = changed > 0 ? `Undone for ${formatLeadCount(changed)}` : 'Nothing was undone'
  const named = skipped.slice(0, maxNamed).map(({ id }) => `No. ${id}`)
  const more = skipped.length > maxNamed ? ` and ${(skipped.length - maxNamed).toLocaleString('en-US')} more` : ''
  const left =
    skipped.length === 1 ? 'has changed since and was left as it is' : 'have changed since and were left as they are'
  return `${undone}. ${formatLeadCount(skipped.length)} ${left}: ${named.join(', ')}${more}`
}
