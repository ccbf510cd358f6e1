import { useEffect, useRef, useState } from 'react'
import { leadsContract } from '#domains/leads/contract.ts'
import { openSseClient } from '#ui/data/sse-client.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import type { Signal } from '../contract.ts'
import { signalsContract } from '../contract.ts'

/** Changes within this time are read together, and not by every open Home at the same moment. */
const spreadMs = 1000
/** A change this soon after a click is the user's own, and moves its card at once. */
const ownChangeMs = 10_000

/**
 * Reads the signals again within seconds of a change. While the pointer or the focus is among them, `held` has them as they are arranged:
 * each is shown in its place as it is now, and moves once they have left, or on `release`.
 */
export function useLiveSignals(signals: readonly Signal[] | undefined) {
  const area = useRef<HTMLDivElement>(null)
  const shown = useRef(signals)
  const clickedAt = useRef(0)
  const [held, setHeld] = useState<readonly Signal[] | null>(null)
  useEffect(() => {
    shown.current = signals
  }, [signals])
  useEffect(() => {
    let timer: number | undefined
    const refresh = () => {
      timer = undefined
      const isOwn = Date.now() - clickedAt.current < ownChangeMs
      if (!isOwn && isUsed(area.current)) setHeld((before) => before ?? shown.current ?? null)
      void refreshQueries(signalsContract.list.reads ?? [])
    }
    const stop = openSseClient(leadsContract.events, ({ event }) => {
      if (event !== 'signal' && event !== 'reload') return
      timer ??= window.setTimeout(refresh, Math.random() * spreadMs)
    })
    return () => {
      stop()
      window.clearTimeout(timer)
    }
  }, [])
  const release = () => setHeld(null)
  const releaseUnused = () => {
    if (!isUsed(area.current)) release()
  }
  const noteClick = () => {
    clickedAt.current = Date.now()
  }
  return { area, held, release, releaseUnused, noteClick }
}

const isUsed = (area: Element | null) =>
  area !== null && (area.matches(':hover') || area.contains(document.activeElement))
