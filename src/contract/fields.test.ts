import { expect, test } from 'vitest'
import { z } from 'zod'
import { emailField, httpUrlField, moneyField, optionalText, requiredLines, requiredText } from './fields.ts'

test('money has at most two decimals, however large it is', () => {
  const isTaken = (amount: number) => moneyField.safeParse(amount).success
  for (const amount of [0, 0.1, 0.29, 19.99, 0.1 + 0.2, 295_283_907.54, 4_332_027_365.23, 9_999_999_999.99])
    expect(isTaken(amount), String(amount)).toBe(true)
  for (const amount of [0.001, 1.005, 295_283_907.541, 10_000_000_000, -0.01])
    expect(isTaken(amount), String(amount)).toBe(false)
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

test('an address whose host is a slip of the keyboard is no web address', () => {
  const field = httpUrlField('Please input URL')
  for (const slip of [
    ...['http//shop.example', 'http;//shop.example', 'http://http://shop.example', 'https://https//shop.example'],
    ...['www,shop.example', 'https://shop.example,', '"https://shop.example"', '(https://shop.example)'],
    ...['https://shop.examplehttps://other.example', 'https://shop.example\nhttps://other.example'],
    ...[
      'http://www.https://shop.example',
      '“https://shop.example”',
      'https://“shop.example”',
      '«https://shop.example»',
    ],
    ...['https://shop.example/a\nhttps://other.example/b', 'https://shop.example, https://other.example'],
    ...['info@shop.example', 'none', 'n/a', '-', '123', 'shop'],
    ...['http://www.', 'https://.example', 'https://shop..example', `https://${'x'.repeat(64)}.example`],
  ])
    expect(
      field.safeParse(slip).error?.issues.map(({ message }) => message),
      slip,
    ).toEqual(['Not a web address'])
  for (const [typed, kept] of [
    ['shop.example/a,b', 'https://shop.example/a,b'],
    ['http://my_shop-.example.:8080', 'http://my_shop-.example.:8080'],
    ['https://dächer.example', 'https://xn--dcher-gra.example/'],
    ['http://[2001:db8::1]/', 'http://[2001:db8::1]/'],
    ['http://sites:3000', 'http://sites:3000'],
    ['http://192.0.2.1', 'http://192.0.2.1'],
    ['sites:3000/a', 'https://sites:3000/a'],
    ['https://shop.example/to?u=https://other.example', 'https://shop.example/to?u=https://other.example'],
  ])
    expect(field.parse(typed), typed).toBe(kept)
})

test('a link that Google, Facebook or Outlook has wrapped is the address that it leads to', () => {
  const field = httpUrlField('Please input URL')
  const target = encodeURIComponent('https://shop.example/a?b=1')
  for (const wrapped of [
    `https://www.google.com/url?q=${target}&sa=D&source=editors`,
    `https://www.google.co.uk/url?sa=t&url=${target}&usg=x`,
    `https://l.facebook.com/l.php?u=${target}&h=x`,
    `https://l.instagram.com/?u=${target}&e=x`,
    `https://nam12.safelinks.protection.outlook.com/?url=${target}&data=05`,
    `www.google.com/url?q=${target}`,
  ])
    expect(field.parse(wrapped), wrapped).toBe('https://shop.example/a?b=1')
  for (const kept of [
    'https://www.google.com/search?q=https://shop.example',
    'https://www.google.com/url?q=shop',
    'https://google.shop.example/url?q=https://other.example',
    'https://l.facebook.com/l.php?u=javascript:alert(1)',
  ])
    expect(field.parse(kept), kept).toBe(kept)
})
