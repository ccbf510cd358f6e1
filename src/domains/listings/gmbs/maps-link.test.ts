import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import { isMapsLink, normalizeMapsLink } from './maps-link.ts'

const cid = (digits: number) => '12345678901234567890123'.slice(0, digits)
const addressBar =
  'https://www.google.com/maps/place/Acme+Roofing/@32.78,-96.8,17z/data=!3m1!4b1!4m6!3m5!1s0x8644b599a0cc032f:0x5d9b464bd469d57a!8m2!3d32.78!4d-96.8!16s%2Fg%2F11c?entry=ttu'

test.each([
  `https://maps.google.com/maps?cid=${cid(15)}`,
  `https://maps.google.com/maps?cid=${cid(20)}`,
  `http://maps.google.com/?cid=${cid(17)}`,
  `https://www.google.com/maps?hl=en&cid=${cid(19)}`,
  `https://www.google.co.uk/maps?cid=${cid(19)}&hl=en`,
  'https://maps.google.com/maps?cid=18446744073709551615',
  addressBar,
  addressBar.replace('!1s', '%211s').replace('f:0x5', 'f%3A0x5'),
  'https://maps.google.com/?ftid=0x8644b599a0cc032f:0x5d9b464bd469d57a&hl=en',
])('%s is a link of a listing', (link) => {
  expect(isMapsLink(link)).toBe(true)
})

test.each([
  '',
  'maps',
  `https://maps.google.com/maps?cid=${cid(14)}`,
  `https://maps.google.com/maps?cid=${cid(21)}`,
  `https://maps.google.com/maps?cid=${cid(16)}x`,
  `https://maps.google.com/maps?id=${cid(16)}`,
  'https://maps.google.com/maps?cid=18446744073709551616',
  'https://maps.google.com/maps?cid=99999999999999999999',
  'https://maps.google.com/maps?cid=00000000000000000001',
  'https://maps.google.com/maps?ftid=0x8644b599a0cc032f:0x0',
  'https://maps.google.com/maps?ftid=0x8644b599a0cc032f:0x5d9b464bd469d57a1',
  'https://www.google.com/maps/place/100%/',
  addressBar.replace('google.com', 'google.com.evil.example'),
  `https://maps.google.com.evil.example/maps?cid=${cid(16)}`,
  `https://evil.example/maps?cid=${cid(16)}`,
  `https://maps.google.com@evil.example/maps?cid=${cid(16)}`,
  `https://www.google.com/url?q=x&cid=${cid(16)}`,
  `javascript:alert(1)//maps.google.com/maps?cid=${cid(16)}`,
])('%s is not a link of a listing', (link) => {
  expect(isMapsLink(link)).toBe(false)
})

type LinkCase = { link: string; kept: string | null }
test.each(readCorpus<LinkCase>('map-links'))('$link is kept as $kept', ({ link, kept }) => {
  expect(isMapsLink(link)).toBe(kept !== null)
  if (kept) expect(normalizeMapsLink(link)).toBe(kept)
})

test('digits become a link as they are typed, and a pasted link keeps only its cid', () => {
  expect(normalizeMapsLink('1')).toBe('https://maps.google.com/maps?cid=1')
  expect(normalizeMapsLink(` ${cid(18)} `)).toBe(`https://maps.google.com/maps?cid=${cid(18)}`)
  expect(normalizeMapsLink(`https://www.google.com/maps?hl=en&cid=${cid(19)}&entry=x`)).toBe(
    `https://maps.google.com/maps?cid=${cid(19)}`,
  )
  expect(normalizeMapsLink(`google.com/maps?cid=${cid(19)}`)).toBe(`https://maps.google.com/maps?cid=${cid(19)}`)
  expect(normalizeMapsLink('google.com/maps')).toBe('google.com/maps')
  expect(normalizeMapsLink(addressBar)).toBe('https://maps.google.com/maps?cid=6745062158417646970')
  expect(normalizeMapsLink('https://maps.google.com/maps?cid=')).toBe('https://maps.google.com/maps?cid=')
  expect(normalizeMapsLink('nonsense')).toBe('nonsense')
  expect(normalizeMapsLink(`https://evil.example/?cid=${cid(16)}`)).toBe(`https://evil.example/?cid=${cid(16)}`)
})
