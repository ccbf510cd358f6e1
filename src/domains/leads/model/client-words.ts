import type { StoredLead } from './dto.ts'

/** What a client says about their lead. It leaves the lead when another client gets it, and stays in the history. */
export const wordColumns = [
  'client_progress',
  'rating',
  'rating_via',
  'unconfirmed_rating',
  'company_name',
  'client_notes',
  'client_value',
  'client_profit',
] as const
export type ClientWords = Pick<StoredLead, (typeof wordColumns)[number]>

export const noWords = Object.fromEntries(wordColumns.map((column) => [column, null])) as ClientWords // every column has its entry

/** Returns the part of the words that the fields of the API do not say, for the history and for putting them back. */
export const toHiddenWords = ({ rating, rating_via, unconfirmed_rating }: ClientWords) => ({
  rating_via,
  unconfirmed_rating,
  confirmed_rating: unconfirmed_rating === null ? null : rating, // else it is the rating
})

/** Returns the words from the values before a change, as the history keeps them. */
export function readStoredWords(before: Record<string, unknown>): ClientWords {
  const number = (field: string) =>
    before[field] === undefined || before[field] === null ? null : Number(before[field])
  const text = (field: string) => (typeof before[field] === 'string' ? before[field] : null)
  const unconfirmed_rating = number('unconfirmed_rating')
  return {
    client_progress: number('client_progress'),
    rating: unconfirmed_rating === null ? number('rating') : number('confirmed_rating'),
    rating_via: text('rating_via') as ClientWords['rating_via'], // written by toHiddenWords
    unconfirmed_rating,
    company_name: text('company_name'),
    client_notes: text('client_notes'),
    client_value: number('client_value'),
    client_profit: number('client_profit'),
  }
}
