import { expect, test, vi } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import { ApiError, unreachableMessage } from '#ui/data/api.ts'
import { createLeadEditor, type PatchLead, type ShownLead } from './lead-mutations.ts'

test('a field shows again what is stored when two quick edits of it both fail', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let shown = { id: 1, version: 1, confirmed: 0, hide: 0 } as Lead // what the editor reads of it
  const patch: PatchLead = (_, fields) => {
    const before = Object.fromEntries(Object.keys(fields).map((name) => [name, shown[name as keyof Lead]]))
    shown = { ...shown, ...fields }
    return () => {
      shown = { ...shown, ...before }
    }
  }
  const write = () => Promise.reject(new ApiError(0, unreachableMessage))
  const { edit, whenSaved } = createLeadEditor({ patch, write, settled: () => undefined })
  edit(shown, 'confirmed', 1)
  edit(shown, 'hide', 1)
  edit(shown, 'confirmed', 0)
  expect(shown).toMatchObject({ confirmed: 0, hide: 1 })
  await whenSaved()
  expect(shown).toMatchObject({ confirmed: 0, hide: 0 })
  expect(log).toHaveBeenCalledTimes(3)
  log.mockRestore()
})

test('a refused edit is told when its field is no longer on screen to say so', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const told: unknown[] = []
  const { edit, whenSaved, watch } = createLeadEditor({
    patch: () => () => undefined,
    write: () => Promise.reject(new ApiError(0, unreachableMessage)),
    settled: () => undefined,
    tell: ({ id }, reason) => told.push([id, reason]),
  })
  const [row, pane] = [watch(1, 'confirmed'), watch(1, 'confirmed')]
  watch(2, 'confirmed')
  const verify = async () => {
    edit({ id: 1, version: 1 } as Lead, 'confirmed', 1)
    await whenSaved()
  }
  row()
  await verify()
  expect(told).toEqual([])
  pane()
  await verify()
  expect(told).toEqual([[1, unreachableMessage]])
  log.mockRestore()
})

test('what the stream has told of a field is known to its next edit, and of no other field [DESK-05]', async () => {
  const sent: unknown[] = []
  const write: Parameters<typeof createLeadEditor>[0]['write'] = (seen, field, _, version) => {
    sent.push([field, version])
    return Promise.resolve({ ...seen, version: 4 })
  }
  const { edit, whenSaved } = createLeadEditor({ patch: () => () => undefined, write, settled: () => undefined })
  const shown = { id: 1, version: 1, confirmed: 1, hide: 0, live: { confirmed: 3 } } as Partial<ShownLead> as ShownLead
  edit(shown, 'confirmed', 0)
  edit(shown, 'hide', 1)
  await whenSaved()
  expect(sent).toEqual([
    ['confirmed', 3],
    ['hide', 1],
  ])
})
