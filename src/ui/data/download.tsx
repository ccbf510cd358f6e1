import { useSyncExternalStore } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { type InputArgs, send } from './api.ts'
import { sayFailure, sayProgress } from '../feedback/toast.tsx'

/** A call that answers a file. */
export type FileCall = Endpoint & { file: string }

/** The names of the files that are on their way. */
let running: readonly string[] = []
const listeners = new Set<() => void>()

function setRunning(next: readonly string[]) {
  running = next
  for (const tell of listeners) tell()
}

/** Whether this file is on its way, also when it was asked for before one came to this page. */
export function useDownloading({ file }: FileCall): boolean {
  const listen = (tell: () => void) => {
    listeners.add(tell)
    return () => listeners.delete(tell)
  }
  return useSyncExternalStore(listen, () => running.includes(file))
}

/**
 * Saves what a call streams as a file. It shows how far it is, can be cancelled, which ends it on the server too, and goes
 * on when its reader leaves the page for another of ours.
 */
export async function download<E extends FileCall>(endpoint: E, ...[input]: InputArgs<E>) {
  const name = endpoint.file
  const cancelled = new AbortController()
  const { tell, hide } = sayProgress(name, () => cancelled.abort())
  setRunning([...running, name])
  try {
    const response = await send(endpoint, input, cancelled.signal)
    const parts: BlobPart[] = []
    let received = 0
    let told = 0
    for await (const chunk of response.body ?? []) {
      parts.push(chunk)
      received += chunk.byteLength
      if (Date.now() - told < betweenWords) continue
      told = Date.now()
      tell(`${size(received)} received`)
    }
    save(new Blob(parts, { type: response.headers.get('content-type') ?? '' }), name)
    tell(`${size(received)} saved`, true)
  } catch (problem) {
    if (cancelled.signal.aborted) return tell('Cancelled', true)
    hide()
    sayFailure(problem)
  } finally {
    setRunning(running.filter((one) => one !== name))
  }
}

/** Milliseconds: a screen reader speaks each word of progress, and a long file comes in thousands of pieces. */
const betweenWords = 500

function save(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const size = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)
