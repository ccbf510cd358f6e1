import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { runOnce } from './lock.mjs'
import { root, say } from './root.mjs'
import { run } from './run.mjs'

const built = join(root, 'dist/web')
const stamp = join(root, 'dist/web.stamp')
const sources = [
  'src/app',
  'src/ui',
  'src/domains',
  'src/contract',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]
const excludedFiles = /\/(server|model|cli|demo)\/|\/schema\.ts$|\.test\.tsx?$/

/** Builds the web with Vite, unless its sources are those of the last build. */
export async function buildWeb() {
  const wanted = webSources()
  const done = () =>
    existsSync(join(built, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  await runOnce('build', done, async () => {
    say('building the web')
    // Built next to the last build, then swapped in: a running server never serves half a build, and a failed build changes nothing.
    const draft = join(root, 'dist/web.new')
    const vite = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', draft, '--emptyOutDir']
    const code = await run(vite, { NODE_ENV: 'production' })
    if (code !== 0) throw new Error('the web build failed')
    await compressAssets(join(draft, 'assets'))
    rmSync(built, { recursive: true, force: true })
    renameSync(draft, built)
    writeFileSync(stamp, wanted)
  })
}

const brotli = promisify(brotliCompress)
/** Two below the maximum: nearly as small, in a tenth of the time. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Writes a compressed copy next to each file, for the server to send as it is. */
async function compressAssets(folder) {
  const files = readdirSync(folder).filter((file) => /\.(js|css|svg|json)$/.test(file))
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file)
      writeFileSync(`${path}.br`, await brotli(readFileSync(path), brotliQuality))
    }),
  )
}

/** Returns a hash of the content of every file that the web is built from: dates are new in a fresh checkout. */
export function webSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesUnder(source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function filesUnder(source) {
  const path = join(root, source)
  if (!existsSync(path)) return []
  if (/\.\w+$/.test(source)) return [source]
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files
    .map((file) => file.slice(root.length + 1))
    .filter((file) => !excludedFiles.test(file))
    .sort()
}
