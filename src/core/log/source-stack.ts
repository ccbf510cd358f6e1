import { existsSync, readFileSync } from 'node:fs'
<<<<<<< HEAD
import { SourceMap } from 'node:module'
=======
>>>>>>> speed
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot } from '../settings/settings.ts'

<<<<<<< HEAD
=======
type SourceMapFile = { sources: string[]; mappings: string }

>>>>>>> speed
/**
 * Returns a stack with the places of our source instead of those of the build: `src/core/http/handle.ts:41:7`. The maps are read
 * for each stack: an error is rare, and a map takes ten times its size in memory when it is kept open.
 */
export function toSourceStack(stack: string): string {
<<<<<<< HEAD
  const maps = new Map<string, SourceMap | null>()
=======
  const maps = new Map<string, SourceMapFile | null>()
>>>>>>> speed
  return stack.replace(
    /(file:\/\/\/[^\s()]+\.mjs):(\d+):(\d+)/g,
    (place, url: string, line: string, column: string) => {
      const file = fileURLToPath(url)
      if (!maps.has(file)) maps.set(file, readSourceMap(file))
<<<<<<< HEAD
      const found = maps.get(file)?.findOrigin(Number(line), Number(column))
      return found && 'fileName' in found
        ? `${relative(projectRoot, resolve(dirname(file), found.fileName))}:${found.lineNumber}:${found.columnNumber}`
=======
      const map = maps.get(file)
      const found = map && findSource(map, Number(line), Number(column))
      return found
        ? `${relative(projectRoot, resolve(dirname(file), found.source))}:${found.line}:${found.column}`
>>>>>>> speed
        : place
    },
  )
}

<<<<<<< HEAD
const readSourceMap = (file: string): SourceMap | null =>
  existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))) : null
=======
function readSourceMap(file: string): SourceMapFile | null {
  return existsSync(`${file}.map`) ? JSON.parse(readFileSync(`${file}.map`, 'utf8')) : null // as esbuild writes it
}

const digitValues = new Uint8Array(128)
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  digitValues[digit.charCodeAt(0)] = value
const [comma, semicolon] = [44, 59]

/**
 * Walks the mappings up to the place, so that nothing is kept: lines are parted by semicolons and segments by commas. A segment's numbers
 * say how far it is from the one before: column of the build, source, line and column of the source.
 */
function findSource({ sources, mappings }: SourceMapFile, line: number, column: number) {
  const at = [0, 0, 0, 0, 0]
  let found: { source: string; line: number; column: number } | null = null
  let [builtLine, field, number, shift] = [1, 0, 0, 0]
  for (let index = 0; index <= mappings.length; index += 1) {
    const code = index < mappings.length ? mappings.charCodeAt(index) : semicolon
    if (code === comma || code === semicolon) {
      if (builtLine === line && field >= 4 && at[0]! < column)
        found = { source: sources[at[1]!]!, line: at[2]! + 1, column: at[3]! + 1 }
      field = 0
      if (code === comma) continue
      if (builtLine === line) return found
      builtLine += 1
      at[0] = 0
      continue
    }
    const value = digitValues[code]!
    number += (value & 31) << shift
    shift += 5
    if (value & 32) continue // more digits of this number follow
    at[field]! += number & 1 ? -(number >> 1) : number >> 1
    field += 1
    number = shift = 0
  }
  return found
}
>>>>>>> speed
