import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { versionField } from '#contract/fields.ts'
import { timezoneField } from '#domains/clients/fields.ts'
import { scheduleSchema } from '../schedule.ts'

const canManageWorkingHours = adminsWithPages('campaigns')

/** A campaign's working hours, in its own time zone. */
const workingHoursSchema = z.object({ timezone: z.string(), schedule: scheduleSchema, version: z.int() })
export type WorkingHours = z.infer<typeof workingHoursSchema>

export const workingHoursContract = {
  read: endpoint('GET /campaign/:id/working-hours', {
    allow: canManageWorkingHours,
    reads: ['campaign'],
    response: workingHoursSchema,
  }),
  save: endpoint('POST /campaign/:id/working-hours', {
    allow: canManageWorkingHours,
    changes: ['campaign'],
    description:
      'If someone else has saved the hours since the `version` that was read, returns 409 with the newer ones.',
    body: z.strictObject({ timezone: timezoneField, schedule: scheduleSchema, version: versionField }),
    response: workingHoursSchema,
    conflict: { hours: workingHoursSchema },
    success: 'Campaign working hours saved successfully',
  }),
}
