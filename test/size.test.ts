import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'

/** Vite's entry for a built file: the files that it imports, by their names in the manifest. */
type Built = { file: string; name?: string; imports?: string[]; isDynamicEntry?: boolean }

const web = join(projectRoot, 'dist/web')
const manifest = JSON.parse(readFileSync(join(web, 'manifest.json'), 'utf8')) as Record<string, Built> // Vite's own format
const kilobytes = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(web, file))).length, 0) / 1024

/** Returns a file and all its static imports. */
function withImports(name: string, files = new Set<string>()): Set<string> {
  const { file, imports = [] } = manifest[name]!
  if (!files.has(file)) for (const one of [...imports, file]) one === file ? files.add(file) : withImports(one, files)
  return files
}

const first = new Set(
  [...readFileSync(join(web, 'index.html'), 'utf8').matchAll(/<script [^>]*src="\/([^"]+)"/g)].map(
    ([, file = '']) => file,
  ),
)

test('the first files of every page weigh at most three times as much as React', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `import 'react'; import 'react-dom/client'`, resolveDir: projectRoot },
    bundle: true,
    minify: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const react = gzipSync(outputFiles[0]!.contents).length / 1024
  expect(react).toBeGreaterThan(50)
  expect(kilobytes(first) / react).toBeLessThan(3)
})

/** The file of the list of leads, by the name of its group in vite.config.ts: what it shares with its like is in it. */
const leadsList = Object.keys(manifest).find((key) => manifest[key]?.name === 'leads') ?? ''

test('there is one style sheet, and the list of leads takes six scripts', () => {
  expect(readdirSync(join(web, 'assets')).filter((file) => file.endsWith('.css'))).toHaveLength(1)
  const scripts = new Set([...first, ...withImports(leadsList)])
  expect(scripts.size).toBeLessThanOrEqual(6)
})

/** Additional compressed kilobytes that a screen needs before it is drawn. Maps, charts and dialogs load later. */
const usual = 125
/** The list of leads, and the screens that are drawn by its file, which is in the cache by then, and by a small one of their own. */
const roomier: Record<string, number> = {
  [leadsList]: 138,
  'src/domains/leads/detail/ui/screen.tsx': 139,
  'src/domains/leads/related/ui/screen.tsx': 139,
}

test('no screen exceeds its budget', () => {
  const screens = Object.entries(manifest).filter(
    ([name, { isDynamicEntry }]) => name === leadsList || (isDynamicEntry && /screen\.tsx$/.test(name)),
  )
  expect(screens.length).toBeGreaterThan(20)
  const over = screens.flatMap(([name]) => {
    const size = kilobytes([...withImports(name)].filter((file) => !first.has(file)))
    const budget = roomier[name] ?? usual
    return size > budget ? [`${name} ${size.toFixed(1)} of ${budget} kB`] : []
  })
  expect(over).toEqual([])
})

test('no screen takes more than twenty files', () => {
  const counts = Object.keys(manifest)
    .filter((name) => /screen\.tsx$/.test(name))
    .map((name) => [...withImports(name)].filter((file) => !first.has(file)).length)
  expect(Math.max(...counts)).toBeLessThanOrEqual(20)
})

test('prefetched files exist', () => {
  const parts = JSON.parse(readFileSync(join(web, 'assets/parts.json'), 'utf8')) as string[] // vite.config.ts wrote it
  expect(parts.length).toBeGreaterThan(50)
  expect(parts.filter((part) => !existsSync(join(web, part)))).toEqual([])
})
