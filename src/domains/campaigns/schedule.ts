import { z } from 'zod'

const halfHourMessage = 'Times are HH:mm on the half hour, up to 24:00'
const halfHourSchema = z
  .string(halfHourMessage)
  .regex(/^(([01]\d|2[0-3]):(00|30)|24:00)$/, { error: halfHourMessage, abort: true })

/** The times at which a working day may start or end: 00:00, 00:30 … 24:00. */
export const halfHourOptions = Array.from(
  { length: 49 },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
)

const weekdayMessage = 'A day is 0 (Sunday) to 6'

/** One weekday of the working hours; `day` is 0 for Sunday to 6. `24:00` is the end of the day. */
const workingDaySchema = z
  .object({
    enabled: z.boolean('Must be true or false'),
    day: z.int(weekdayMessage).min(0, weekdayMessage).max(6, weekdayMessage),
    startTime: halfHourSchema,
    endTime: halfHourSchema,
  })
  .refine(({ startTime, endTime }) => startTime <= endTime, {
    error: 'Hours cannot run past midnight: end this day at 24:00 and start the next one at 00:00',
    path: ['endTime'],
  })
  .refine(({ startTime, endTime }) => startTime !== endTime, {
    error: 'The start must be before the end',
    path: ['endTime'],
  })

const sevenDaysMessage = 'Exactly seven days, 0 (Sunday) to 6'
/** Seven days. Only one problem is reported at a time: invalid times are not compared, and days are not counted unless there are seven. */
export const scheduleSchema = z
  .array(workingDaySchema, sevenDaysMessage)
  .length(7, { error: sevenDaysMessage, abort: true })
  .refine((days) => new Set(days.map((entry) => entry.day)).size === 7, 'Each day exactly once')
export type WorkingSchedule = z.infer<typeof scheduleSchema>

const createWorkingDay = (number: number, enabled: boolean) => ({
  enabled,
  day: number,
  startTime: '10:00',
  endTime: enabled ? '19:00' : '15:00',
})
/** Monday to Friday 10:00-19:00; the weekend is off, with 10:00-15:00 filled in. */
export const defaultSchedule: WorkingSchedule = [0, 1, 2, 3, 4, 5, 6].map((number) =>
  createWorkingDay(number, number >= 1 && number <= 5),
)
