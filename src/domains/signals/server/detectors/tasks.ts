import { countOf } from '#contract/count-of.ts'
import { cutText, fitsLength } from '#contract/cut-text.ts'
import { daysBetween, getToday } from '#contract/days.ts'
import { formatDueDay } from '#contract/short-times.ts'
import type { SignalDetector } from '../finding.ts'

export const taskDetector: SignalDetector = {
  kinds: ['task_overdue'],
  detect: ({ tasks, timeZone }, asOf) =>
    tasks.flatMap(({ id, campaign_id, date, note, assignee }) => {
      const today = getToday(timeZone, asOf)
      const days = daysBetween(date, today)
      if (days < 1) return []
      const label = fitsLength(note, 80) ? note : `${cutText(note, 79)}…`
      return [
        {
          kind: 'task_overdue',
          severity: 'note',
          subject: { type: 'task', id, label },
          campaign_id,
          title: `Task overdue: ${label}`,
          evidence: {
            says: `Due ${formatDueDay(date, today)} (${countOf(days, 'day')} late)${assignee ? ` · ${assignee}` : ''}`,
            date,
            days,
            assignee,
          },
        },
      ]
    }),
}
