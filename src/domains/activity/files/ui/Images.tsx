import { Suspense } from 'react'
import { addTokenToUrl } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useDialog } from '#ui/layout/useDialog.ts'
import { getThumbnailUrl } from '../contract.ts'
import classes from './Images.module.css'

// Most visits open no image.
const LazyLightbox = lazyComponent(() => import('./Lightbox.tsx'))

type ImageGalleryProps = { ids: readonly number[] }

/** Thumbnails in a row; each opens in the lightbox. */
export function ImageGallery({ ids }: ImageGalleryProps) {
  const lightbox = useDialog<number>()
  if (ids.length === 0) return null
  return (
    <>
      <div className={arrange.chips}>
        {ids.map((id, index) => (
          <button
            key={id}
            type="button"
            className={classes.small}
            aria-label={`Open image ${index + 1} of ${ids.length}`}
            onClick={() => lightbox.open(index)}
          >
            <ImageThumbnail id={id} />
          </button>
        ))}
      </div>
      {lightbox.opened && lightbox.subject !== undefined && (
        <Suspense>
          <LazyLightbox ids={ids} first={lightbox.subject} onClose={lightbox.close} />
        </Suspense>
      )}
    </>
  )
}

/** The alt text is empty because the surrounding element has the name. */
export function ImageThumbnail({ id }: { id: number }) {
  return <img src={addTokenToUrl(getThumbnailUrl(id))} alt="" loading="lazy" decoding="async" />
}
