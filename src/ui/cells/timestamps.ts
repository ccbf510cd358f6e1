import { environment } from '../data/environment.ts'

const parts = new Intl.DateTimeFormat('en-US', {
  timeZone: environment.timezone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** An instant (ISO 8601) as MM/dd/yyyy HH:mm of the agency's zone. */
export const shownMoment = (at: string): string => parts.format(new Date(at)).replace(',', '')
