import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { node } from './node.mjs'
import { fetched, root } from './root.mjs'

/** Runs a program, our Node.js by default, and returns its exit code. */
export function run(args, env = {}, cwd = root, program = node()) {
  return finished(start(args, env, cwd, program))
}

/** Runs several programs until one ends, stops the others, and returns the first exit code. */
export async function runAll(programs) {
  const children = programs.map(({ args, env }) => start(args, env))
  const ends = children.map(finished)
  const code = await Promise.race(ends)
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ends)
  return code
}

function start(args, env, cwd = root, program = node()) {
  const settings = {
    NODE_COMPILE_CACHE: join(fetched, 'compile-cache'), // a quarter of a start's processor time
    ...process.env,
    TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'), // tsx looks where it is started, which need not be the checkout
    ...env,
  }
  return spawn(program, args, { cwd, stdio: 'inherit', env: settings })
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * The child decides when it ends: it may be finishing requests. We pass signals on and wait. A Ctrl-C reaches it from the
 * terminal already. If npm is killed outright, its children would go on without it: then we ask ours to end.
 */
function finished(child) {
  const forward = signals.map((signal) => [
    signal,
    () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal),
  ])
  for (const [signal, pass] of forward) process.on(signal, pass)
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000)
  if (!process.env.npm_lifecycle_event) clearInterval(watch)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  }).finally(() => {
    clearInterval(watch)
    for (const [signal, pass] of forward) process.off(signal, pass)
  })
}
