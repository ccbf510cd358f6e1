import { requiredLines } from '#contract/fields.ts'

export const maxNoteLength = 10_000
/** The text of an item, also of one that is made from a signal. */
export const noteField = requiredLines('Please input your note', maxNoteLength)
