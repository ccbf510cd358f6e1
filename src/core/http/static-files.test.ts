import { expect, test } from 'vitest'
import { parseSettings } from '#domains/app-settings.ts'
import { InvalidSettingsError } from '../settings/settings.ts'
import { contentSecurityPolicy, writePageHead } from './static-files.ts'

const pictures = (MAP_TILE_URL?: string) =>
  contentSecurityPolicy(parseSettings({ MAP_TILE_URL })).directives['img-src'].slice(2)

test.each([
  [undefined, 'https://tile.openstreetmap.org'],
  ['https://{s}.tile.example.com/{z}/{x}/{y}.png', 'https://*.tile.example.com'],
  ['https://tiles-{s}.example.com/{z}/{x}/{y}@2x.png?key=1', 'https://*.example.com'],
  ['http://127.0.0.1:8080/{z}/{x}/{y}.png', 'http://127.0.0.1:8080'],
])('images come only from the host of the map tiles: %s', (address, host) => {
  expect(pictures(address)).toEqual([host])
})

test.each([
  'https://tile.example.com/{z}/{x}.png',
  'ftp://tile.example.com/{z}/{x}/{y}',
  '{z}/{x}/{y}',
  'https://{z}{x}{y}:no',
])('an invalid tile address is refused at startup: %s', (MAP_TILE_URL) => {
  expect(() => parseSettings({ MAP_TILE_URL })).toThrow(InvalidSettingsError)
})

test('no setting leaves the attribute of the page that holds the settings (ASVS 1.2.3)', () => {
  const hostile = `"><script>alert(1)</script>&quot;$&`
  const page = writePageHead('<meta name="leadline" content=""><title>x</title>', {
    title: hostile,
    environment: { mapAttribution: hostile },
  })
  expect(page).toMatch(/^<meta name="leadline" content="[^"<]*"><title>[^<]*<\/title>$/)
  const [, content = ''] = /content="([^"]*)"/.exec(page) ?? []
  const decoded = content.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  expect(JSON.parse(decoded).mapAttribution).toBe(hostile)
})
