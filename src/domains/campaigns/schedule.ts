import { z } from 'zod'

const halfHour = z.string().regex(/^(([01]\d|2[0-3]):(00|30)|24:00)$/, 'Times are HH:mm on the half hour, up to 24:00')

/** One weekday of the working hours; `day` is 0 for Sunday to 6. `24:00` is the end of the day. */
export const workingDay = z
  .object({ enabled: z.boolean(), day: z.int().min(0).max(6), startTime: halfHour, endTime: halfHour })
  .refine((day) => day.startTime < day.endTime, { error: 'The start must be before the end', path: ['endTime'] })

export const schedule = z
  .array(workingDay)
  .length(7, 'Exactly seven days, 0 (Sunday) to 6')
  .refine((days) => new Set(days.map((entry) => entry.day)).size === 7, 'Each day exactly once')
export type Schedule = z.infer<typeof schedule>

const day = (number: number, enabled: boolean) => ({
  enabled,
  day: number,
  startTime: '10:00',
  endTime: enabled ? '19:00' : '15:00',
})
/** Monday to Friday 10:00-19:00; the weekend is off and reads 10:00-15:00. */
export const defaultSchedule: Schedule = [0, 1, 2, 3, 4, 5, 6].map((number) => day(number, number >= 1 && number <= 5))
