import { expect } from 'vitest'
import { type Move, type MoveItem, movesContract } from '#domains/moves/contract.ts'
import { isMoving } from '#domains/moves/labels.ts'
import type { Caller } from '#test/app.ts'
import { until } from '#test/until.ts'

/** What the caller does with moves. */
export function movesBy(caller: Caller) {
  const read = async (id: number) => (await caller.call(movesContract.get, { params: { id } })).body as Move
  const settle = (id: number) =>
    until(async () => {
      const move = await read(id)
      return isMoving(move.state) ? null : move
    })
  async function plan(connections: number[]): Promise<Move> {
    const { status, body } = await caller.call(movesContract.start, { body: { connections } })
    expect(status).toBe(200)
    return settle(body.id)
  }
  const listItems = async (id: number, query = {}): Promise<MoveItem[]> =>
    (await caller.call(movesContract.items, { params: { id }, query: { per_page: 200, ...query } })).body.data
  return { read, settle, plan, listItems }
}
