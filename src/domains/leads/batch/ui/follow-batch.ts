import { ApiError, callApi } from '#ui/data/api.ts'
import { toastError, toastInfo } from '#ui/feedback/toast.tsx'
import { type LeadBatch, leadBatchContract } from '../contract.ts'
import { formatLeadCount } from './batch-words.ts'

const pollMs = 500

export const isBatchOver = ({ state }: LeadBatch) => state !== 'queued' && state !== 'running'

/** Polls a batch until it is over. Rejects if the batch fails. Calls `tell` with the progress. */
export async function followBatch(begun: LeadBatch, tell?: (batch: LeadBatch) => void): Promise<LeadBatch> {
  let batch = begun
  while (!isBatchOver(batch)) {
    tell?.(batch)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    batch = await readBatchAgain(batch)
  }
  if (batch.state === 'failed') throw new Error(describeFailure(batch))
  return batch
}

const describeFailure = ({ problem, changed, skipped }: LeadBatch) =>
  `${problem ?? 'Failed'}: ${formatLeadCount(changed)} changed, ${skipped.length.toLocaleString('en-US')} not`

/** Undoes a batch, and says which leads stay as they are because someone has changed them since. */
export async function undoBatch(id: number, tell?: (batch: LeadBatch) => void): Promise<void> {
  try {
    const { skipped } = await followBatch(await callApi(leadBatchContract.undo, { params: { id } }), tell)
    if (skipped.length > 0) toastInfo(describeKept(skipped))
  } catch (problem) {
    toastError(problem)
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

function describeKept(skipped: LeadBatch['skipped']): string {
  const named = skipped.slice(0, maxNamed).map(({ id }) => `No. ${id}`)
  const more = skipped.length > maxNamed ? ` and ${(skipped.length - maxNamed).toLocaleString('en-US')} more` : ''
  return `${formatLeadCount(skipped.length)} changed since, and left as they are: ${named.join(', ')}${more}`
}
