import { create } from 'zustand'
import type { Endpoint } from '#contract/endpoint.ts'
import { toastError, toastProgress } from '../feedback/toast.tsx'
import { restoreFocusLater } from '../layout/restore-focus.ts'
import { type CallArgs, sendRequest } from './api.ts'

/** A call that returns a file. */
export type FileEndpoint = Endpoint & { file: string }

/** The names of the files that are being downloaded. */
const useDownloads = create<{ running: readonly string[] }>(() => ({ running: [] }))

/** Returns whether this file is being downloaded, even if another page requested it. */
export const useIsDownloading = ({ file }: FileEndpoint) => useDownloads(({ running }) => running.includes(file))

/**
 * Saves the response of a call as a file. Shows its progress, continues when the user goes to another page of the app, and can
 * be cancelled, which also ends it on the server.
 */
export async function downloadFile<E extends FileEndpoint>(endpoint: E, ...[input]: CallArgs<E>) {
  const name = endpoint.file
  const before = document.activeElement
  const cancelled = new AbortController()
  const { tell, hide } = toastProgress(name, () => cancelled.abort())
  useDownloads.setState(({ running }) => ({ running: [...running, name] }))
  try {
    const response = await sendRequest(endpoint, input, { signal: cancelled.signal })
    const parts: BlobPart[] = []
    let received = 0
    let reportedAt = 0
    for await (const chunk of response.body ?? []) {
      parts.push(chunk)
      received += chunk.byteLength
      if (Date.now() - reportedAt < progressInterval) continue
      reportedAt = Date.now()
      tell(`${formatFileSize(received)} received`)
    }
    saveBlob(new Blob(parts, { type: response.headers.get('content-type') ?? '' }), name)
    tell(`${formatFileSize(received)} saved`, true)
  } catch (problem) {
    if (cancelled.signal.aborted) return tell('Canceled', true)
    hide()
    toastError(problem)
  } finally {
    useDownloads.setState(({ running }) => ({ running: running.filter((one) => one !== name) }))
    restoreFocusLater(before) // the button was disabled
  }
}

/** Milliseconds between updates: a screen reader announces each one, and a large file arrives in thousands of chunks. */
const progressInterval = 500

function saveBlob(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const formatFileSize = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
