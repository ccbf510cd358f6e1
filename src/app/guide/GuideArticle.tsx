import { Button, useComputedColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { GuideText, PlainGuideText } from './GuideText.tsx'
import type { GuideBlock } from './guide-page.ts'
import type { VisibleGuidePage } from './pages.ts'
import { findPictureSource } from './pictures.ts'
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
      return (
        <ul>
          {block.items.map((item) => (
            <li key={JSON.stringify(item)}>
              <GuideText text={item} hits={hits} />
            </li>
          ))}
        </ul>
      )
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
