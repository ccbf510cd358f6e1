import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const [light, dark] = [/^:root \{[^}]+/m, /:root\[data-mantine-color-scheme='dark'\] \{[^}]+/].map((block) =>
  Object.fromEntries(
    [...block.exec(source)![0].matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name!, color!]),
  ),
)
const themes = [
  ['light', light!],
  ['dark', { ...light, ...dark }],
] as const

/** As WCAG defines them. */
function computeLuminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function computeContrast(one: string, other: string): number {
  const [dark, light] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

test.each(themes)('what is drawn in the %s theme is seen on each ground that it stands on', (_, tokens) => {
  const grounds = ['surface', 'background', 'hover', 'row-verified', 'row-missed', 'row-suspended']
  const drawn = ['control-border', 'star', 'row-verified-bar', 'row-missed-bar', 'row-suspended-bar']
  const pairs = drawn.flatMap((name) => grounds.map((ground) => [name, ground] as const))
  const faint = pairs.filter(([name, ground]) => computeContrast(tokens[name]!, tokens[ground]!) < 3)
  expect(faint).toEqual([])
})
