import { assert, constantFrom, emailAddress, property } from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readCorpus } from '#test/corpus.ts'
import { readEmail } from './read-email.ts'

type EmailCase = { input: string; address: string | null; more: boolean }

test.each(readCorpus<EmailCase>('emails'))(
  '$input is read as the address $address [EDGE-05]',
  ({ input, address, more }) => {
    expect(readEmail(input)).toMatchObject({ address, hasMore: more })
  },
)

test('an address is read out of whatever stands around it [EDGE-05]', () => {
  const address = emailAddress().filter((one) => z.email().safeParse(one).success && !/^['`]|[{}]/.test(one))
  const around = constantFrom(
    (one: string) => one,
    (one: string) => `mailto:${one}`,
    (one: string) => `Mary Sue <${one}>`,
    (one: string) => `"${one}"`,
    (one: string) => `${one}.`,
    (one: string) => `\u202a${one}\u202c`,
    (one: string) => one.replace('@', '＠'),
    (one: string) => `${one}, other@sue.example`,
    (one: string) => `${one}; other@sue.example`,
    (one: string) => `n/a ${one}`,
  )
  assert(
    property(address, around, (one, write) => {
      expect(readEmail(write(one)).address).toBe(one)
    }),
  )
})
