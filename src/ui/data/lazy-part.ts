import { lazy } from 'react'

/** A part of the app that is loaded when it is first drawn. */
export const lazyComponent: typeof lazy = (load) => lazy(() => loadWhenOnline(load))

/**
 * Nothing comes of a part of an older build, for which the page is being loaded again (src/app/ui/main.tsx): what asked for it
 * waits until the page is gone.
 */
export async function loadPart<Part>(load: () => Promise<Part | undefined>): Promise<Part> {
  return (await load()) ?? new Promise<never>(() => undefined)
}

/** Without a network a part waits for one: what is on screen stays, and what was asked for appears when it can. */
export async function loadWhenOnline<Part>(load: () => Promise<Part | undefined>): Promise<Part> {
  try {
    return await loadPart(load)
  } catch (problem) {
    if (navigator.onLine) throw problem
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return loadPart(load)
  }
}

/**
 * Reads the rest of the app into the browser's cache, one part after the other, once nobody waits for anything: the next
 * screen opens at once however slow the network is, and a dialog opens without one. vite.config.ts lists the parts.
 */
export async function prefetchChunks(stopped: AbortSignal) {
  // Not from the cache: the list is called the same in every version.
  const answer = await fetch('/assets/parts.json', { cache: 'no-store', signal: stopped })
  if (!answer.ok) return
  const parts = (await answer.json()) as string[] // vite.config.ts wrote it
  for (const part of parts) await (await fetch(`/${part}`, { priority: 'low', signal: stopped })).arrayBuffer()
}
