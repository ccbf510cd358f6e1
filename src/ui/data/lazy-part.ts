import { lazy } from 'react'

/** A component that is loaded when it is first rendered. */
export const lazyComponent: typeof lazy = (load) => lazy(() => loadWhenOnline(load))

/**
 * Loads a chunk. For a chunk of an older build `load` resolves to undefined while the page reloads (src/app/ui/main.tsx): the
 * promise then stays pending.
 */
export async function loadPart<Part>(load: () => Promise<Part | undefined>): Promise<Part> {
  return (await load()) ?? new Promise<never>(() => undefined)
}

/**
 * Loads a chunk; without a network it waits until the browser is online again. Chrome remembers that a chunk failed for as long as the
 * page is open: the part is missing then, but what is typed stays.
 */
export async function loadWhenOnline<Part>(load: () => Promise<Part | undefined>): Promise<Part> {
  try {
    return await loadPart(load)
  } catch (problem) {
    if (navigator.onLine) throw problem
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return loadPart(load).catch(() => new Promise<never>(() => undefined))
  }
}

/**
 * Loads the rest of the app into the browser's cache, one chunk at a time: the next screen opens at once on a slow network, and
 * a dialog opens without one. Call it when the page is idle. vite.config.ts lists the chunks. Data Saver is for people who pay for each
 * megabyte.
 */
export async function prefetchChunks(stopped: AbortSignal) {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  // Not from the cache: the list has the same name in every version.
  const answer = await fetch('/assets/parts.json', { cache: 'no-store', signal: stopped })
  if (!answer.ok) return
  const parts = (await answer.json()) as string[] // written by vite.config.ts
  for (const part of parts) await (await fetch(`/${part}`, { priority: 'low', signal: stopped })).arrayBuffer()
}
