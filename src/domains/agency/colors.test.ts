import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'
import { computeAgencyColors, computeContrast, darkGrounds, darkInk, lightGrounds } from './colors.ts'

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('text in and on the agency’s color is readable, whatever color is chosen [ACCT-11]', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const { onLight, onDark } = computeAgencyColors(color)
      for (const ground of lightGrounds) expect(computeContrast(onLight, ground)).toBeGreaterThanOrEqual(4.5)
      for (const ground of [...darkGrounds, darkInk])
        expect(computeContrast(onDark, ground)).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 5000, examples: [['#ffff00'], ['#ffffff'], ['#000000'], ['#000080'], ['#808080']] },
  )
})

test('a color that is readable already stays as it is [ACCT-11]', () => {
  expect(computeAgencyColors('#0a7d4f').onLight).toBe('#0a7d4f')
  expect(computeAgencyColors('#ffd60a').onDark).toBe('#ffd60a')
})

test('the grounds are those of the themes', () => {
  const tokens = readFileSync(join(projectRoot, 'src/ui/theme/tokens.css'), 'utf8')
  for (const ground of [...lightGrounds, ...darkGrounds])
    expect(tokens).toMatch(new RegExp(`--(surface|background): ${ground};`))
})
