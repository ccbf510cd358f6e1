import { pictureDensity } from './guide-page.ts'

/** The addresses of the pictures, by file. Each is fetched when it comes into view, and none before the guide is opened. */
const pictureUrls: Record<string, string> = import.meta.glob('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

const pictureThemes = ['light', 'dark'] as const
type PictureSource = { src: string; width: number; height: number }

const toPagePixels = (dots: string | undefined) => Math.round(Number(dots) / pictureDensity)

/** Files are named like `leads-light-1200x750.webp`: their size reserves the space until they are loaded. */
export function findPictureSource(name: string, theme: (typeof pictureThemes)[number]): PictureSource | undefined {
  for (const [file, src] of Object.entries(pictureUrls)) {
    const [, of, kind, width, height] = /\/([a-z0-9-]+)-(light|dark)-(\d+)x(\d+)\.webp$/.exec(file) ?? []
    if (of === name && kind === theme) return { src, width: toPagePixels(width), height: toPagePixels(height) }
  }
  return undefined
}
