import { Button, Modal, TextInput } from '@mantine/core'
import { CopyButton } from '../cells/cells.tsx'
import classes from './SecretDialog.module.css'

type SecretDialogProps = {
  title: string
  /** What it is called. */
  label: string
  value: string
  /** What to do with it. */
  children: string
  opened: boolean
  onClose: () => void
}

/** A secret that is shown this once, to be copied. A click beside it does not close it. */
export function SecretDialog({ title, label, value, children, opened, onClose }: SecretDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <div className={classes.secret}>
        <p>{children}</p>
        <TextInput
          label={label}
          value={value}
          readOnly
          variant="filled"
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
          rightSection={<CopyButton value={value} what={label} />}
        />
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Modal>
  )
}
