import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flag, id } from '#contract/fields.ts'
import { troubleStates } from '../labels.ts'

const keeps = both(admin, may('leadChart', 'campaigns'))
const stateNames = troubleStates.map(({ value, label }) => `${label} ${value}`).join(', ')

/** What those who watch leads change of a campaign, without its form. */
const campaignState = z.object({ id, name: z.string(), is_ppc: flag, trouble_state: z.int() })

export const campaignStates = {
  updateTroubleState: endpoint('POST /campaign/:id/update-trouble-state', {
    allow: keeps,
    about: `How the campaign is doing: ${stateNames}.`,
    body: z.object({
      trouble_state: z.literal(
        troubleStates.map(({ value }) => value),
        `Must be one of ${stateNames}`,
      ),
    }),
    answers: campaignState,
    says: 'State changed successfully',
  }),
  togglePpc: endpoint('POST /campaign/:id/toggle-is-ppc', {
    allow: keeps,
    about: 'With `is_ppc` it becomes that, so that a repeated call does not flip back; without, it flips.',
    body: z.object({ is_ppc: flag.optional() }).optional(),
    answers: campaignState,
    says: 'Campaign was changed successfully',
  }),
}
