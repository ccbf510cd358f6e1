import { setImmediate } from 'node:timers/promises'
import { notificationsStore } from '@mantine/notifications'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { createUndoStack, type UndoStep } from './undo-stack.ts'

const shown = () =>
  notificationsStore
    .getState()
    .notifications.map(({ message }) => (message as ReactElement<{ message: string }>).props.message)

test('the message names the act that its Undo would undo, even if an earlier one is saved later [WORK-05]', async () => {
  const stack = createUndoStack()
  const [ann, ben] = ['Ann', 'Ben'].map((name): UndoStep => ({ message: `Verified: ${name}`, undo: () => {} }))
  stack.push(ann!)
  stack.push(ben!)
  stack.say(ben!)
  stack.say(ann!)
  await expect.poll(shown).toEqual(['Verified: Ben'])
})

test('what could not be undone can be undone again, before what was done earlier [WORK-05]', async () => {
  const stack = createUndoStack()
  const early: UndoStep = { message: 'Verified: Ann', undo: () => {} }
  const failing: UndoStep = { message: '2 leads tagged', undo: async () => null }
  stack.push(early)
  stack.push(failing)
  expect(stack.undo()).toBe(failing)
  await expect.poll(shown).toContain('2 leads tagged')
  expect([stack.undo(), stack.undo()]).toEqual([failing, early])
})

test('what could not be undone twice is not in the way of what was done earlier [WORK-05]', async () => {
  const stack = createUndoStack()
  const early: UndoStep = { message: 'Verified: Ann', undo: () => {} }
  const failing: UndoStep = { message: '2 leads tagged', undo: async () => null }
  stack.push(early)
  stack.push(failing)
  for (const step of [failing, failing, early]) {
    expect(stack.undo()).toBe(step)
    await setImmediate()
  }
})
