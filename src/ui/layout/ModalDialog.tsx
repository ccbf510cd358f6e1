import { Modal, type ModalProps } from '@mantine/core'
import { useRestoreFocus } from './restore-focus.ts'

/** A dialog that returns the focus. Mantine's own does not when it is open from its first render, as one that loads late is. */
export const ModalDialog = ({ children, ...props }: ModalProps) => (
  <Modal {...props}>
    <FocusKeeper />
    {children}
  </Modal>
)

function FocusKeeper() {
  useRestoreFocus()
  return null
}
