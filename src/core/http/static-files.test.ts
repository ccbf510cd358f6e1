import { expect, test } from 'vitest'
import { InvalidSettingsError, parseSettings } from '../settings/settings.ts'
import { contentSecurityPolicy } from './static-files.ts'

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
