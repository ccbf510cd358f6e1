import { modals } from '@mantine/modals'

/** Asks before something that cannot be taken back. Answers false when it is cancelled or closed in any way. */
export function confirm(
  question: string,
  agree: { label: string; danger?: boolean } = { label: 'Yes' },
): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: question,
      size: 'sm',
      labels: { confirm: agree.label, cancel: 'Cancel' },
      confirmProps: agree.danger ? { color: 'red' } : {},
      withCloseButton: false,
      onConfirm: () => resolve(true),
      // After a confirmation this is called too; a promise settles only once.
      onClose: () => resolve(false),
      onCancel: () => resolve(false),
    })
  })
}
