import { z } from 'zod'
import { admin, both, flags, may } from '#contract/allow.ts'
import { type AnswerOf, endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/fields.ts'
import { timezones } from './words.ts'

/** A time zone of the list, by its code. */
export const timezone = z.string('Please select a timezone').refine((code) => Object.hasOwn(timezones, code), {
  error: 'Please select a timezone',
})

export const clients = {
  list: endpoint('GET /client', {
    allow: both(admin, may('clients', 'campaigns')),
    about: 'The clients one may see, by name. `nopag` answers all of them, for pickers.',
    query: z.object({ nopag: z.unknown().optional(), cache: z.unknown().optional() }),
    answers: z.array(z.object({ id, name: z.string() })),
  }),
  timezones: endpoint('GET /client/timezones', {
    allow: both(admin, may(...flags)),
    about: 'The time zones one may choose from, by code.',
    answers: z.record(z.string(), z.string()),
  }),
}

/** The clients of the list's answer. */
export const clientsOf = (answer: AnswerOf<typeof clients.list> | undefined) => answer ?? []
