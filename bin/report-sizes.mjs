import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.mjs'

/**
 * Prints the files and folders of code that are hard to take in at a glance. A report and no rule: a file is as long as its
 * subject, and a limit cuts subjects in two.
 */
export function reportSizes() {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => join('src', file))
  const long = files
    .map((file) => ({ name: file, size: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }))
    .filter(({ size }) => size > 320)
  const counts = new Map()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const folders = [...counts].map(([name, size]) => ({ name, size })).filter(({ size }) => size > 24)
  const print = (rows, unit) =>
    rows.sort((a, b) => b.size - a.size).map(({ name, size }) => `  ${name}: ${size} ${unit}`)
  const lines = [...print(long, 'lines'), ...print(folders, 'files')]
  if (lines.length > 0) console.log(['Large, to be read with that in mind:', ...lines].join('\n'))
}
