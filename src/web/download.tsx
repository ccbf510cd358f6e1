import type { Endpoint } from '#contract/endpoint.ts'
import { type InputArgs, send } from './api.ts'
import { sayFailure, sayProgress } from './toast.tsx'

/**
 * Saves what a call streams as a file. It shows how far it is, and goes on when its reader leaves the page for another
 * of ours.
 */
export async function download<E extends Endpoint>(endpoint: E, name: string, ...[input]: InputArgs<E>) {
  const { tell, hide } = sayProgress(name)
  try {
    const response = await send(endpoint, input)
    const parts: BlobPart[] = []
    let received = 0
    for await (const chunk of response.body ?? []) {
      parts.push(chunk)
      received += chunk.byteLength
      tell(`${size(received)} received`)
    }
    save(new Blob(parts, { type: response.headers.get('content-type') ?? '' }), name)
    tell(`${size(received)} saved`, true)
  } catch (problem) {
    hide()
    sayFailure(problem)
  }
}

function save(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const size = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)
