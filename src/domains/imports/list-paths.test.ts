import { expect, test } from 'vitest'
import { appScreens } from '#app/ui/screens.ts'
import { getListPath, importKinds } from './labels.ts'

test.each(importKinds)('the button after an import of %s leads to a screen [MOVE-09]', (kind) => {
  expect(appScreens.map(({ path }) => path)).toContain(getListPath(kind))
})
