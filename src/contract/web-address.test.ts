import { expect, test } from 'vitest'
import { httpUrlField } from './web-address.ts'

/** A host name of so many characters. */
const hostOf = (length: number) => `${`${'x'.repeat(63)}.`.repeat(3)}${'x'.repeat(length - 192)}`

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
    ...[
      'shop.example\tother.example',
      'shop.example/\tRoofing',
      'shop.example\nother.example',
      'https://shop.\nexample',
    ],
    ...['info@shop.example', 'none', 'n/a', '-', '123', 'shop'],
    ...['16.3.2026', '12.50', '1.200', 'https://12.50/', '192.0.2', 'http://010.0.2.1'],
    ...['http://www.', 'https://.example', 'https://shop..example', `https://${'x'.repeat(64)}.example`],
    `https://${hostOf(254)}`,
  ])
    expect(
      field.safeParse(slip).error?.issues.map(({ message }) => message),
      slip,
    ).toEqual(['Not a web address'])
  expect(field.safeParse(' ').error?.issues.map(({ message }) => message)).toEqual(['Please input URL'])
  for (const [typed, kept] of [
    ['shop.example/a,b', 'https://shop.example/a,b'],
    ['https://shop.example/a\nb', 'https://shop.example/ab'],
    ['http://my_shop-.example.:8080', 'http://my_shop-.example.:8080'],
    ['https://dächer.example', 'https://xn--dcher-gra.example/'],
    ['http://[2001:db8::1]/', 'http://[2001:db8::1]/'],
    ['http://sites:3000', 'http://sites:3000'],
    [hostOf(253), `https://${hostOf(253)}`],
    ['http://192.0.2.1', 'http://192.0.2.1'],
    ['192.0.2.1:8080', 'https://192.0.2.1:8080'],
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
