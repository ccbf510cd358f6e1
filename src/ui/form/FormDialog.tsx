import { Suspense, useState } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { useHeldKeys } from '../layout/held-keys.ts'
import type { ControlsOf, FormDialogProps, FormEndpoint } from './form-dialog-props.ts'

// Loaded when the first form opens: most visits open none.
const FormModal = lazyComponent(() => import('./OpenForm.tsx'))

/**
 * A form in a dialog. Validates with the contract's own schema, shows the server's errors at the same fields, asks before
 * closing with unsaved changes, and keeps them when a save fails.
 */
export function FormDialog<E extends FormEndpoint, F extends ControlsOf<NoInfer<E>>>(props: FormDialogProps<E, F>) {
  const [wasOpened, setWasOpened] = useState(props.opened)
  if (props.opened && !wasOpened) setWasOpened(true)
  useHeldKeys(props.opened, props.onClose)
  return (
    wasOpened && (
      <Suspense>
        {/* `lazy` drops type parameters; the props of this component are typed. */}
        <FormModal {...(props as unknown as FormDialogProps<FormEndpoint>)} />
      </Suspense>
    )
  )
}
