import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { timezone } from '#domains/clients/contract.ts'
import { schedule } from '../schedule.ts'

const keeps = both(admin, may('campaigns'))

/** A campaign's working hours, on the clocks of its own time zone. */
export const workingHours = z.object({ timezone: z.string(), schedule, version: z.int() })
export type WorkingHours = z.infer<typeof workingHours>

/** What a 409 of `save` carries: the hours as somebody else has saved them meanwhile. */
export const newerHours = z.object({ hours: workingHours })

export const hours = {
  read: endpoint('GET /campaign/:id/working-hours', { allow: keeps, answers: workingHours }),
  save: endpoint('POST /campaign/:id/working-hours', {
    allow: keeps,
    about: 'With the `version` that was read, hours that somebody else has saved meanwhile answer 409 with them.',
    body: z.strictObject({ timezone, schedule, version: z.int().min(1).optional() }),
    answers: workingHours,
    says: 'Campaign working hours saved successfully',
  }),
}
