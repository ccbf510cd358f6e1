import { cutText, fitsLength } from '#contract/cut-text.ts'
import { daysBetween, formatCalendarDay, getToday } from '#contract/days.ts'
import { countOf, type SignalDetector } from '../finding.ts'

export const taskDetector: SignalDetector = {
  kinds: ['task_overdue'],
  detect: ({ tasks, timeZone }, asOf) =>
    tasks.flatMap(({ id, campaign_id, date, note, assignee }) => {
      const days = daysBetween(date, getToday(timeZone, asOf))
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
            says: `It was due on ${formatCalendarDay(date)}, ${countOf(days, 'day')} ago${assignee ? `, assigned to ${assignee}` : ''}.`,
            date,
            days,
            assignee,
          },
        },
      ]
    }),
}
