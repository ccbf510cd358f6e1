import { z } from 'zod'
import { signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { currentUserSchema, tableLayoutSchema } from '../sign-in/contract.ts'

/** `table` is a name that a part declares: the server's contract knows them all, a screen its own. */
export const createPreferencesContract = (table: z.ZodType<string, string>) => ({
  saveColumns: endpoint('POST /user/saveColumns', {
    allow: signedIn,
    changes: ['user'],
    description: 'Saves which columns of a table the caller hides. Read from the query or the body.',
    query: z.object({ hidden_columns: z.string().max(4000).optional(), view: z.string().max(100).optional() }),
    body: z
      .object({ hidden_columns: z.string().max(4000).optional(), view: z.string().max(100).optional() })
      .optional(),
    response: currentUserSchema,
  }),
  saveTable: endpoint('POST /user/saveTable', {
    allow: signedIn,
    changes: ['user'],
    description: 'Saves the order and widths of a table’s columns for the caller.',
    body: z.object({ table, ...tableLayoutSchema.shape }),
    response: currentUserSchema,
  }),
  endTour: endpoint('POST /user/endTour', {
    allow: signedIn,
    changes: ['user'],
    description: 'Saves that the caller has seen the first sign-in tour, or does not want it.',
    response: currentUserSchema,
  }),
})
export const preferencesContract = createPreferencesContract(z.string())
