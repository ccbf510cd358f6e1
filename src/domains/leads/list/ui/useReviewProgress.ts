import { useEffect, useState } from 'react'
import type { LeadQueue } from '#domains/leads/queues.ts'
import { isInQueue } from './lead-queues.ts'
import type { LeadsList } from './useLeadsList.ts'

type Review = { question: string; total: number; done: ReadonlySet<number> }

/** Returns how many leads of a queue were decided since it was opened: `12 of 133 reviewed`. */
export function useReviewProgress({ rows, total, sent, isPrevious }: LeadsList, queue: LeadQueue | undefined) {
  const [review, setReview] = useState<Review | null>(null)
  const question = queue && JSON.stringify(sent)
  useEffect(() => {
    if (!queue || !question || !rows || total === undefined) return
    setReview((before) => {
      const isSame = before?.question === question
      if (isPrevious) return before
      const done = new Set(isSame ? before.done : [])
      for (const lead of rows)
        if (isInQueue(queue, lead)) done.delete(lead.id)
        else done.add(lead.id)
      return { question, total: isSame ? before.total : total, done }
    })
  }, [queue, question, rows, total, isPrevious])
  if (!review || review.question !== question || review.done.size === 0) return undefined
  const all = Math.max(review.total, review.done.size)
  return `${review.done.size.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} reviewed`
}
