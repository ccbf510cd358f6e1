import { useState } from 'react'

/** Keeps whether a dialog is open, and its subject, which stays while the dialog fades out. */
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
