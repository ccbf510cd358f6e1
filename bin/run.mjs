import { spawn } from 'node:child_process'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { node } from './node.mjs'
import { fetched, root } from './root.mjs'

/** Runs a program, by default Node.js, and returns its exit code. */
export function run(args, env = {}, cwd = root, program = node()) {
  return finished(start(args, env, cwd, program))
}

/**
 * Runs a built program in this process, which saves the startup time and memory of a second one. Returns nothing then: the program
 * keeps running and sets its own exit code. If our Node.js is not the one that started us, runs a child and returns its exit code.
 */
export async function runProgram(file, args, cwd = root) {
  if (node() !== process.execPath) return run([file, ...args], {}, cwd)
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? compileCache)
  process.argv = [process.execPath, file, ...args]
  process.chdir(cwd)
  watchParent(() => process.kill(process.pid, 'SIGTERM'))
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    console.error(error)
    process.exit(1) // what it has opened, such as a private PostgreSQL, would keep this process running
  }
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

/** Saves a quarter of the CPU time of a start. */
const compileCache = join(fetched, 'compile-cache')

function start(args, env, cwd = root, program = node()) {
  const settings = {
    NODE_COMPILE_CACHE: compileCache,
    ...process.env,
    TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'), // tsx looks in the working directory, which may not be the checkout
    ...env,
  }
  return spawn(program, args, { cwd, stdio: 'inherit', env: settings })
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Forwards signals to the child and resolves with its exit code when it ends: it may be finishing requests. A Ctrl-C reaches
 * it from the terminal already.
 */
function finished(child) {
  const forward = signals.map((signal) => [
    signal,
    () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal),
  ])
  for (const [signal, pass] of forward) process.on(signal, pass)
  const unwatch = watchParent(() => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  }).finally(() => {
    unwatch()
    for (const [signal, pass] of forward) process.off(signal, pass)
  })
}

/** Calls `end` when npm is killed: its children would keep running. Returns a function that stops the watch. */
function watchParent(end) {
  if (!process.env.npm_lifecycle_event) return () => {}
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 1000).unref()
  return () => clearInterval(watch)
}
