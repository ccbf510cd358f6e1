import { Button, useComputedColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { GuideText, PlainGuideText } from './GuideText.tsx'
import { type GuideBlock, pictureDensity } from './guide-page.ts'
import type { VisibleGuidePage } from './pages.ts'
import classes from './UserGuide.module.css'

type GuideArticleProps = { page: VisibleGuidePage; hits: readonly string[] }

/** One page of the guide, with a link to its screen. */
export function GuideArticle({ page: { key, title, screen, blocks }, hits }: GuideArticleProps) {
  return (
    <article key={key} className={classes.article} aria-labelledby="guide-page">
      <header>
        <h2 id="guide-page">
          <PlainGuideText text={title} hits={hits} />
        </h2>
        {screen !== undefined && (
          <Button variant="default" component={Link} to={screen} preload={false}>
            Open this screen
          </Button>
        )}
      </header>
      {blocks.map((block) => (
        <ArticleBlock key={JSON.stringify(block)} block={block} hits={hits} />
      ))}
    </article>
  )
}

function ArticleBlock({ block, hits }: { block: GuideBlock; hits: readonly string[] }) {
  switch (block.type) {
    case 'heading':
      return (
        <h3>
          <PlainGuideText text={block.text} hits={hits} />
        </h3>
      )
    case 'paragraph':
      return (
        <p>
          <GuideText text={block.text} hits={hits} />
        </p>
      )
    case 'list':
    case 'steps': {
      const Items = block.type === 'list' ? 'ul' : 'ol'
      return (
        <Items>
          {block.items.map((item) => (
            <li key={JSON.stringify(item)}>
              <GuideText text={item} hits={hits} />
            </li>
          ))}
        </Items>
      )
    }
    case 'picture':
      return <ArticlePicture name={block.name} alt={block.alt} />
  }
}

/** The picture in the app's theme, which may differ from the system's. */
function ArticlePicture({ name, alt }: { name: string; alt: string }) {
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const source = findPictureSource(name, theme)
  if (!source) return null
  return <img key={source.src} {...source} alt={alt} loading="lazy" decoding="async" className={classes.picture} />
}

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
function findPictureSource(name: string, theme: (typeof pictureThemes)[number]): PictureSource | undefined {
  for (const [file, src] of Object.entries(pictureUrls)) {
    const [, of, kind, width, height] = /\/([a-z0-9-]+)-(light|dark)-(\d+)x(\d+)\.webp$/.exec(file) ?? []
    if (of === name && kind === theme) return { src, width: toPagePixels(width), height: toPagePixels(height) }
  }
  return undefined
}
