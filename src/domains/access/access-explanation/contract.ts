import { z } from 'zod'
import { adminsWithPages, permissionFlags } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryId, requiredText } from '#contract/fields.ts'

const accessExplanationSchema = z.object({
  allowed: z.boolean(),
  /** The status that the call would return. */
  status: z.int(),
  /** Who may make the call, as a sentence. */
  rule: z.string(),
  /** The pages that the rule names, and whether the person holds enough of them; null if the rule names none. */
  flag: z.object({ needed: z.array(z.enum(permissionFlags)), held: z.boolean() }).nullable(),
  /** The campaign of the row, and whether the person has it. */
  campaign: z.object({ id: idField, name: z.string(), ticked: z.boolean() }).nullable(),
  /** What the person may do with each field, for calls about leads. */
  fields: z.record(z.string(), z.enum(['write', 'read', 'none'])).nullable(),
})
export type AccessExplanation = z.infer<typeof accessExplanationSchema>

export const accessExplanationContract = {
  why: endpoint('GET /access/why', {
    allow: adminsWithPages('admin_pages'),
    reads: ['access'],
    description:
      'Why a person may or may not make a call: the rule, the page, the campaign and the fields. `call` has the form `GET lead/{id}`; `id` is the row. A row that the caller may not see is reported as missing. A person who is in no list of the caller is a 404, an admin with more rights a 403.',
    query: z.object({
      user: queryId.pipe(idField),
      call: requiredText('Please name a call, like GET lead/{id}', 200),
      id: queryId,
    }),
    response: accessExplanationSchema,
  }),
}
