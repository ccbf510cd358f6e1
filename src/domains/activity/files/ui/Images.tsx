import { Suspense } from 'react'
import { withToken } from '#ui/data/api.ts'
import { part } from '#ui/data/lazy-part.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { thumbnailOf } from '../contract.ts'
import classes from './Images.module.css'

// Most visits open no image.
const Lightbox = part(() => import('./Lightbox.tsx'))

type Props = { ids: readonly number[] }

/** Small images in a row; each opens large. */
export function Images({ ids }: Props) {
  const lightbox = useDialog<number>()
  if (ids.length === 0) return null
  return (
    <>
      <div className={classes.row}>
        {ids.map((id, index) => (
          <button
            key={id}
            type="button"
            className={classes.small}
            aria-label={`Open image ${index + 1} of ${ids.length}`}
            onClick={() => lightbox.open(index)}
          >
            <Thumbnail id={id} />
          </button>
        ))}
      </div>
      {lightbox.opened && lightbox.subject !== undefined && (
        <Suspense>
          <Lightbox ids={ids} first={lightbox.subject} onClose={lightbox.close} />
        </Suspense>
      )}
    </>
  )
}

/** Named by what it is in. */
export function Thumbnail({ id }: { id: number }) {
  return <img src={withToken(thumbnailOf(id))} alt="" loading="lazy" decoding="async" />
}
