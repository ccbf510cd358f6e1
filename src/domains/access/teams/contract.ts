import { z } from 'zod'
import { superAdmin } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, required } from '#contract/fields.ts'

const team = z.object({ id, name: z.string() })
export type Team = z.infer<typeof team>

const form = z.strictObject({ name: required('Please input team name', 100) })

export const teams = {
  list: endpoint('GET /team', { allow: superAdmin, about: 'By name.', answers: z.array(team) }),
  create: endpoint('POST /team', {
    allow: superAdmin,
    body: form,
    answers: team,
    says: 'Team was created successfully',
  }),
  update: endpoint('PUT /team/:id', {
    allow: superAdmin,
    body: form,
    answers: team,
    says: 'Team was updated successfully',
  }),
  remove: endpoint('DELETE /team/:id', {
    allow: superAdmin,
    about: 'What was written for the team stays in the activity log; nothing new can be written for it.',
    asks: 'Are you sure to remove this team?',
    says: 'Team was removed successfully',
  }),
}
