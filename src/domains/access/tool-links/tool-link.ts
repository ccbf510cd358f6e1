import { z } from 'zod'
import { idField } from '#contract/fields.ts'

/** Outside of the contract: every page loads this shape, and only a dialog the form. */
export const toolLinkSchema = z.object({ id: idField, label: z.string(), url: z.string(), version: z.int() })
