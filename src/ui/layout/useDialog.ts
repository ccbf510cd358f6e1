import { useState } from 'react'

/** Whether a dialog is open and what it is about. The subject stays while the dialog fades away. */
export function useDialog<Subject = undefined>() {
  const [state, setState] = useState<{ opened: boolean; subject: Subject | undefined }>({
    opened: false,
    subject: undefined,
  })
  return {
    opened: state.opened,
    subject: state.subject,
    open: (subject: Subject) => setState({ opened: true, subject }),
    close: () => setState((before) => ({ ...before, opened: false })),
  }
}
