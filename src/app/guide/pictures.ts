import { type GuidePicture, pictureDensity } from './guide-page.ts'

/** The addresses of the pictures, by file. Each is fetched when it comes into sight, and none before the guide is opened. */
const pictureUrls: Record<string, string> = import.meta.glob('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

export const pictureThemes = ['light', 'dark'] as const
export type PictureSource = { src: string; width: number; height: number }

const toPagePixels = (dots: string | undefined) => Math.round(Number(dots) / pictureDensity)

/** The files are called `leads-light-1200x750.webp`: their measures keep the place until they are there. */
export function findPictureSource(
  { name }: GuidePicture,
  theme: (typeof pictureThemes)[number],
): PictureSource | undefined {
  for (const [file, src] of Object.entries(pictureUrls)) {
    const [, of, kind, width, height] = /\/([a-z0-9-]+)-(light|dark)-(\d+)x(\d+)\.webp$/.exec(file) ?? []
    if (of === name && kind === theme) return { src, width: toPagePixels(width), height: toPagePixels(height) }
  }
  return undefined
}
