import { Modal, type ModalProps } from '@mantine/core'
import { Suspense, useLayoutEffect, useRef } from 'react'
import { useRestoreFocus } from './restore-focus.ts'
import { DialogContext, useSteadyLayout } from './useIsPhone.ts'

/**
 * A dialog that begins at its first field, and returns the focus. Mantine's own does not when it is open from its first render, as one
 * that loads late is.
 */
export const ModalDialog = ({ children, ...props }: ModalProps) => (
  <Modal {...props}>
    <ScreenKeeper />
    <DialogContext value={true}>
      <Suspense>
        <FirstField />
        {children}
      </Suspense>
    </DialogContext>
  </Modal>
)

function ScreenKeeper() {
  useRestoreFocus()
  useSteadyLayout()
  return null
}

/**
 * Not one of a list: those change what is listed, and on a phone leave with its rows. A chooser's box is read-only when its list is short;
 * its value is in a hidden field.
 */
const fieldSelector =
  ':is(input:not([readonly], [type=color], [type=hidden]), [role=combobox], textarea, select):not([data-list] *)'

/** The focus trap looks for the attribute when the dialog opens; without it the close button would get the focus. */
function FirstField() {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const body = place.current?.parentElement
    if (!body || body.querySelector('[data-autofocus]')) return
    const field = body.querySelector<HTMLElement>(fieldSelector)
    field?.setAttribute('data-autofocus', 'true')
    // Fields that load late find the focus on the close button.
    if (body.closest('[role=dialog]')?.contains(document.activeElement)) field?.focus()
  }, [])
  return <span ref={place} hidden />
}
