import { Button, Modal } from '@mantine/core'
import classes from '../form/OpenForm.module.css'
import type { ConfirmQuestion } from './overlays.ts'

/** A question on top of everything. Closing it in any way means no. */
export default function ConfirmDialog({ question }: { question: ConfirmQuestion }) {
  const { words, details, content, agree, danger, answer } = question
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title={words}
      size={content ? 'lg' : 'sm'}
      zIndex={250}
      withCloseButton={false}
    >
      {content}
      {details.length > 0 && (
        <ul className={classes.details}>
          {details.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className={classes.answers}>
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          Cancel
        </Button>
        <Button color={danger ? 'red' : undefined} onClick={() => answer(true)}>
          {agree}
        </Button>
      </div>
    </Modal>
  )
}
