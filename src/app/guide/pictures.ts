import { density, type Picture } from './guide-page.ts'

/** The addresses of the pictures, by file. Each is fetched when it comes into sight, and none before the guide is opened. */
const addresses: Record<string, string> = import.meta.glob('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

export const themes = ['light', 'dark'] as const
export type Shown = { src: string; width: number; height: number }

const onPage = (dots: string | undefined) => Math.round(Number(dots) / density)

/** The files are called `leads-light-1200x750.webp`: their measures keep the place until they are there. */
export function shownPicture({ name }: Picture, theme: (typeof themes)[number]): Shown | undefined {
  for (const [file, src] of Object.entries(addresses)) {
    const [, of, kind, width, height] = /\/([a-z0-9-]+)-(light|dark)-(\d+)x(\d+)\.webp$/.exec(file) ?? []
    if (of === name && kind === theme) return { src, width: onPage(width), height: onPage(height) }
  }
  return undefined
}
