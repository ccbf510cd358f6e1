import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, idField } from '#contract/fields.ts'
import { troubleStates } from '../labels.ts'

const canManageCampaignStates = adminsWithPages('leadChart', 'campaigns')
const troubleStateList = troubleStates.map(({ value, label }) => `${label} ${value}`).join(', ')

/** The parts of a campaign that can be changed outside its form, by people who work with leads. */
const campaignStateSchema = z.object({ id: idField, name: z.string(), is_ppc: flagField, trouble_state: z.int() })

export const campaignStatesContract = {
  updateTroubleState: endpoint('POST /campaign/:id/update-trouble-state', {
    allow: canManageCampaignStates,
    changes: ['campaign'],
    description: `How the campaign is doing: ${troubleStateList}.`,
    body: z.object({
      trouble_state: z.literal(
        troubleStates.map(({ value }) => value),
        `Must be one of ${troubleStateList}`,
      ),
    }),
    response: campaignStateSchema,
    success: 'State changed successfully',
  }),
  togglePpc: endpoint('POST /campaign/:id/toggle-is-ppc', {
    allow: canManageCampaignStates,
    changes: ['campaign'],
    description: 'Sets `is_ppc`, so that a repeated call does not toggle back; without a value it toggles.',
    body: z.object({ is_ppc: flagField.optional() }).optional(),
    response: campaignStateSchema,
    success: 'Campaign was changed successfully',
  }),
}
