import { z } from 'zod'
import { idField } from '#contract/fields.ts'

/** Apart from the contract, whose forms no first page needs. */
export const toolLinkSchema = z.object({ id: idField, label: z.string(), url: z.string(), version: z.int() })
