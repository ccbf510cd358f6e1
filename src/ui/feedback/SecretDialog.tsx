import { Button, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import { CopyButton } from '../cells/cells.tsx'
import { useDialog } from '../layout/useDialog.ts'

type SecretDialogProps = {
  title: string
  /** What the secret is called. */
  label: string
  value: string
  /** What to do with the secret. */
  children: string
  opened: boolean
  onClose: () => void
}

type CreateSecretButtonProps = Omit<SecretDialogProps, 'value' | 'opened' | 'onClose'> & {
  button: string
  /** Renders the form that creates the record; its `onMade` gets the secret. */
  form: (dialog: { opened: boolean; onClose: () => void; onMade: (secret: string) => void }) => ReactNode
}

/** A button that creates a record with a secret, then shows the secret. */
export function CreateSecretButton({ button, form, ...rest }: CreateSecretButtonProps) {
  const making = useDialog()
  const secret = useDialog<string>()
  const opener = useRef<HTMLButtonElement>(null)
  // The dialog itself would give the focus back to the form, which is gone.
  function close() {
    secret.close()
    opener.current?.focus()
  }
  return (
    <>
      <Button ref={opener} onClick={() => making.open(undefined)}>
        {button}
      </Button>
      {form({ opened: making.opened, onClose: making.close, onMade: secret.open })}
      {secret.subject && <SecretDialog {...rest} value={secret.subject} opened={secret.opened} onClose={close} />}
    </>
  )
}

/** Shows a secret once, to be copied. A click outside does not close the dialog. */
function SecretDialog({ title, label, value, children, opened, onClose }: SecretDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <div className={arrange.stackWide}>
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
