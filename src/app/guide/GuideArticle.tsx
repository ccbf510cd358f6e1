import { Button, useComputedColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { GuideText, PlainGuideText } from './GuideText.tsx'
import type { GuidePicture, GuideSection } from './guide-page.ts'
import { findPictureSource } from './pictures.ts'
import type { VisibleGuidePage } from './search.ts'
import classes from './UserGuide.module.css'

type GuideArticleProps = { page: VisibleGuidePage; hits: readonly string[] }

/** One page of the guide, with the way to the screen that it is about. */
export function GuideArticle({ page, hits }: GuideArticleProps) {
  const { key, title, screen, picture, sections } = page
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
      {sections[0] && !sections[0].title && <ArticleSection section={sections[0]} hits={hits} />}
      {picture && <ArticlePicture picture={picture} />}
      {(sections[0]?.title ? sections : sections.slice(1)).map((section) => (
        <ArticleSection key={`${section.title} ${section.says[0]}`} section={section} hits={hits} />
      ))}
    </article>
  )
}

function ArticleSection({ section: { title, says }, hits }: { section: GuideSection; hits: readonly string[] }) {
  return (
    <section>
      {title && (
        <h3>
          <PlainGuideText text={title} hits={hits} />
        </h3>
      )}
      {says.map((line) =>
        typeof line === 'string' ? (
          <p key={line}>
            <GuideText text={line} hits={hits} />
          </p>
        ) : (
          <ul key={line.join()}>
            {line.map((one) => (
              <li key={one}>
                <GuideText text={one} hits={hits} />
              </li>
            ))}
          </ul>
        ),
      )}
    </section>
  )
}

/** In the colours that the app has, which need not be the system's. */
function ArticlePicture({ picture }: { picture: GuidePicture }) {
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const shown = findPictureSource(picture, theme)
  if (!shown) return null
  return (
    <img key={shown.src} {...shown} alt={picture.alt} loading="lazy" decoding="async" className={classes.picture} />
  )
}
