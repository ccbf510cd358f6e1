import { expect, test } from 'vitest'
import { z } from 'zod'
import { emailField, moneyField, optionalText, requiredLines, requiredText } from './fields.ts'

test('money has at most two decimals, however large it is', () => {
  const isTaken = (amount: number) => moneyField.safeParse(amount).success
  for (const amount of [0, 0.1, 0.29, 19.99, 0.1 + 0.2, 295_283_907.54, 4_332_027_365.23, 9_999_999_999.99])
    expect(isTaken(amount), String(amount)).toBe(true)
  for (const amount of [0.001, 1.005, 295_283_907.541, 10_000_000_000, -0.01])
    expect(isTaken(amount), String(amount)).toBe(false)
})

test('money is rounded to cents, as it is stored', () => {
  const amounts = [0.1 + 0.2, 0.07 * 100, -0, 19.99, 295_283_907.54, 9_999_999_999.99]
  expect(amounts.map((amount) => moneyField.parse(amount))).toEqual([
    0.3, 7, 0, 19.99, 295_283_907.54, 9_999_999_999.99,
  ])
})

test('a name is one line without control characters, and a note keeps its lines', () => {
  const name = requiredText('Please input name', 30)
  expect(name.parse(' Acme\r\n\tRoofing\u2028LLC\u0007\u202e ')).toBe('Acme Roofing LLC')
  expect(name.safeParse('\n\t\u0000').error?.issues.length).toBeGreaterThan(0)
  expect(name.safeParse(' \r\n\u200b').error?.issues[0]?.message).toBe('Please input name')
  expect(requiredLines('Please input your note', 30).parse('One\r\ntwo\u0007')).toBe('One\ntwo')
})

test('an email at an international domain is stored as mail is sent to it, and a local part in other letters is refused [EDGE-05]', () => {
  for (const typed of ['info@müller.example', ' Anna Müller <info@MÜLLER.example> ', 'info@xn--mller-kva.example'])
    expect(emailField.parse(typed), typed).toBe('info@xn--mller-kva.example')
  expect(emailField.parse('info@президент.рф')).toBe('info@xn--d1abbgf6aiiy.xn--p1ai')
  const refuse = (typed: string) => emailField.safeParse(typed).error?.issues.map(({ message }) => message)
  expect(refuse('josé@sue.example')).toEqual(['Only plain letters without accents can stand before the @'])
  for (const typed of [
    'nobody',
    'a@b',
    'info@müller',
    'info@-müller.example',
    'a@b-.example',
    `${'a'.repeat(250)}@b.example`,
  ])
    expect(refuse(typed), typed).toEqual(['Email is not valid'])
})

test('a value of another kind is refused in plain words', () => {
  const form = z.object({
    name: optionalText(5),
    kind: z.enum(['one', 'two', 'three']),
    pages: z.record(z.string(), z.string()),
    list: z.array(z.string()).min(1),
    path: z.string().min(1),
    count: z.int().min(2).max(9),
  })
  const refuse = (value: unknown) =>
    Object.fromEntries(form.safeParse(value).error!.issues.map(({ path, message }) => [path.join('.'), message]))
  expect(refuse({ name: 5, kind: '', pages: [], list: 'a', path: 5, count: 'a' })).toEqual({
    name: 'Must be text',
    kind: 'Must be one, two or three',
    pages: 'Must be an object',
    list: 'Must be a list',
    path: 'Must be text',
    count: 'Must be a number',
  })
  expect(refuse({ name: 'abcdef', kind: 'one', pages: {}, list: [], path: '', count: 1 })).toEqual({
    name: 'At most 5 characters',
    list: 'Must not be empty',
    path: 'Must not be empty',
    count: 'At least 2',
  })
  expect(refuse({ name: null, kind: 'one', pages: {}, list: ['a'], count: 10 })).toEqual({
    path: 'This field is missing',
    count: 'At most 9',
  })
  expect(refuse(undefined)).toEqual({ '': 'This field is missing' })
})
