import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot } from '../settings/settings.ts'

/**
 * Returns a stack with locations in the source instead of the build: `src/core/http/handle.ts:41:7`. Reads the source maps for each
 * stack: errors are rare, and a map in memory takes ten times its size.
 */
export function toSourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | null>()
  return stack.replace(
    /(file:\/\/\/[^\s()]+\.mjs):(\d+):(\d+)/g,
    (place, url: string, line: string, column: string) => {
      const file = fileURLToPath(url)
      if (!maps.has(file)) maps.set(file, readSourceMap(file))
      const found = maps.get(file)?.findOrigin(Number(line), Number(column))
      return found && 'fileName' in found
        ? `${relative(projectRoot, resolve(dirname(file), found.fileName))}:${found.lineNumber}:${found.columnNumber}`
        : place
    },
  )
}

const readSourceMap = (file: string): SourceMap | null =>
  existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))) : null
