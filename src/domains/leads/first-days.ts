import { addMonths } from '#contract/days.ts'

/** Returns the days that Leads shows until a person chooses others: one month ago through today. */
export const getFirstDays = (today: string) => ({ date_from: addMonths(today, -1), date_to: today })
