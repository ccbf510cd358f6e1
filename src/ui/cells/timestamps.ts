import { appConfig } from '../data/environment.ts'

const instantFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: appConfig.timezone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** An instant (ISO 8601) as MM/dd/yyyy HH:mm of the agency's zone. */
export const formatInstant = (at: string): string => instantFormat.format(new Date(at)).replace(',', '')
