import { Suspense, useState } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { useHeldKeys } from '../layout/held-keys.ts'
import type { FormDialogProps, FormEndpoint } from './form-dialog-props.ts'

// Most visits open no form: it is loaded when the first one opens.
const FormModal = lazyComponent(() => import('./OpenForm.tsx'))

/**
 * The one dialog for a form. It checks with the contract's own schema, puts the server's refusals on the same fields,
 * asks before what was typed is lost, and keeps it when a save fails.
 */
export function FormDialog<E extends FormEndpoint>(props: FormDialogProps<E>) {
  const [wasOpened, setWasOpened] = useState(props.opened)
  if (props.opened && !wasOpened) setWasOpened(true)
  useHeldKeys(props.opened, props.onClose)
  return (
    wasOpened && (
      <Suspense>
        {/* `lazy` forgets type parameters; the props were checked at our own door. */}
        <FormModal {...(props as unknown as FormDialogProps<FormEndpoint>)} />
      </Suspense>
    )
  )
}
