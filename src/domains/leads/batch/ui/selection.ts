import { createStore, type StoreApi } from 'zustand'

type SelectionState = {
  ids: ReadonlySet<number>
  /** How many leads the filters matched when all of them were selected; null where `ids` says which. */
  all: number | null
  /** The leads on the page, in their order. */
  rows: readonly number[]
}

/** Which leads are selected. Each cell subscribes on its own, so a tick renders one cell. */
export type RowSelection = {
  store: StoreApi<SelectionState>
  /** With `isRange`, selects the range from the lead that was toggled last. */
  toggle: (id: number, isRange?: boolean) => void
  togglePage: () => void
  selectAll: (total: number) => void
  clear: () => void
}

export const isSelected = ({ ids, all }: SelectionState, id: number) => all !== null || ids.has(id)
export const countSelected = ({ ids, all }: SelectionState) => all ?? ids.size
export const isPageSelected = (state: SelectionState) =>
  state.rows.length > 0 && state.rows.every((id) => isSelected(state, id))

export function createSelection(): RowSelection {
  const store = createStore<SelectionState>(() => ({ ids: new Set(), all: null, rows: [] }))
  let last: number | undefined

  /** Deselecting a lead while all are selected leaves the rest of the page selected. */
  function set(ids: readonly number[], isOn: boolean) {
    const state = store.getState()
    const next = new Set(state.all === null ? state.ids : state.rows)
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    store.setState({ ids: next, all: null })
  }

  return {
    store,
    toggle: (id, isRange = false) => {
      const state = store.getState()
      const [from, to] = [last ?? id, id].map((one) => state.rows.indexOf(one)) as [number, number]
      const range = isRange && from >= 0 ? state.rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      last = id
      set(range, !isSelected(state, id))
    },
    togglePage: () => {
      const state = store.getState()
      set(state.rows, !isPageSelected(state))
    },
    selectAll: (total) => store.setState({ all: total }),
    clear: () => {
      last = undefined
      store.setState({ ids: new Set(), all: null })
    },
  }
}
