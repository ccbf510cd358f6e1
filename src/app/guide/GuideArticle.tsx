import { Button, useComputedColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PlainWords, Words } from './GuideText.tsx'
import type { Picture, Section } from './guide-page.ts'
import { shownPicture } from './pictures.ts'
import type { ToldPage } from './search.ts'
import classes from './UserGuide.module.css'

type Props = { page: ToldPage; hits: readonly string[] }

/** One page of the guide, with the way to the screen that it is about. */
export function GuideArticle({ page, hits }: Props) {
  const { key, title, screen, picture, sections } = page
  return (
    <article key={key} className={classes.article} aria-labelledby="guide-page">
      <header>
        <h2 id="guide-page">
          <PlainWords text={title} hits={hits} />
        </h2>
        {screen !== undefined && (
          <Button variant="default" component={Link} to={screen} preload={false}>
            Open this screen
          </Button>
        )}
      </header>
      {sections[0] && !sections[0].title && <Told section={sections[0]} hits={hits} />}
      {picture && <Shown picture={picture} />}
      {(sections[0]?.title ? sections : sections.slice(1)).map((section) => (
        <Told key={`${section.title} ${section.says[0]}`} section={section} hits={hits} />
      ))}
    </article>
  )
}

function Told({ section: { title, says }, hits }: { section: Section; hits: readonly string[] }) {
  return (
    <section>
      {title && (
        <h3>
          <PlainWords text={title} hits={hits} />
        </h3>
      )}
      {says.map((line) =>
        typeof line === 'string' ? (
          <p key={line}>
            <Words text={line} hits={hits} />
          </p>
        ) : (
          <ul key={line.join()}>
            {line.map((one) => (
              <li key={one}>
                <Words text={one} hits={hits} />
              </li>
            ))}
          </ul>
        ),
      )}
    </section>
  )
}

/** In the colours that the app has, which need not be the system's. */
function Shown({ picture }: { picture: Picture }) {
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const shown = shownPicture(picture, theme)
  if (!shown) return null
  return (
    <img key={shown.src} {...shown} alt={picture.alt} loading="lazy" decoding="async" className={classes.picture} />
  )
}
