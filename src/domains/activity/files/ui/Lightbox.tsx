import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { addTokenToUrl } from '#ui/data/api.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { getFileUrl } from '../contract.ts'
import classes from './Lightbox.module.css'

type ImageLightboxProps = { ids: readonly number[]; first: number; onClose: () => void }

/** An image in a full-window viewer; arrow keys switch images. */
export default function ImageLightbox({ ids, first, onClose }: ImageLightboxProps) {
  const [index, setIndex] = useState(first)
  const id = ids[index]
  const several = ids.length > 1
  const step = (by: number) => setIndex((index + by + ids.length) % ids.length)
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={`Image ${index + 1} of ${ids.length}`}
      size="auto"
      zIndex={240}
      closeButtonProps={{ 'aria-label': 'Close' }}
      onKeyDown={(event) => {
        if (several && event.key === 'ArrowRight') step(1)
        if (several && event.key === 'ArrowLeft') step(-1)
      }}
    >
      {id !== undefined && (
        <div className={classes.stage}>
          <img
            key={id}
            src={addTokenToUrl(getFileUrl(id))}
            alt={`${index + 1} of ${ids.length}`}
            className={classes.image}
          />
          {several && (
            <div className={arrange.buttons}>
              <ActionIcon color="gray" aria-label="Previous image" title="Previous image" onClick={() => step(-1)}>
                <IconChevronLeft size={18} aria-hidden="true" />
              </ActionIcon>
              <ActionIcon color="gray" aria-label="Next image" title="Next image" onClick={() => step(1)}>
                <IconChevronRight size={18} aria-hidden="true" />
              </ActionIcon>
            </div>
          )}
        </div>
      )}
    </ModalDialog>
  )
}
