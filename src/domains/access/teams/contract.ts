import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, requiredText, versionField } from '#contract/fields.ts'

const teamSchema = z.object({ id: idField, name: z.string(), version: z.int() })
export type Team = z.infer<typeof teamSchema>

const teamFormSchema = z.strictObject({ name: requiredText('Please input team name', 100) })

export const teamsContract = {
  list: endpoint('GET /team', {
    allow: superAdminOnly,
    reads: ['team'],
    description: 'By name.',
    response: z.array(teamSchema),
  }),
  create: endpoint('POST /team', {
    allow: superAdminOnly,
    changes: ['team', 'campaign', 'activity'],
    body: teamFormSchema,
    response: teamSchema,
    success: 'Team was created successfully',
  }),
  update: endpoint('PUT /team/:id', {
    allow: superAdminOnly,
    changes: ['team', 'campaign', 'activity'],
    description: 'Returns 409 with the newer team for a version older than the stored one.',
    /** `version` is the one that the editor read; without it the last write wins. */
    body: teamFormSchema.extend({ version: versionField }),
    response: teamSchema,
    conflict: { newer: teamSchema },
    success: 'Team was updated successfully',
  }),
  remove: endpoint('DELETE /team/:id', {
    allow: superAdminOnly,
    changes: ['team', 'campaign', 'activity'],
    description: 'The team’s items stay in the activity log; no new ones can be added.',
    confirm: 'Are you sure to remove this team?',
    success: 'Team was removed successfully',
  }),
}
