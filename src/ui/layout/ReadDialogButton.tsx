import { Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { IconButton } from './ActionButton.tsx'
import { useReadDialog } from './useReadDialog.ts'

type ReadDialogButtonProps<Subject> = {
  label: string
  icon: ComponentProps<typeof IconButton>['icon']
  /** Shown instead of the icon. */
  text?: string | undefined
  load: () => Promise<Subject>
  children: (subject: Subject, close: () => void) => ReactNode
}

/** A cheap button: on a click it reads what its dialog shows, then loads and opens the dialog. */
export function ReadDialogButton<Subject>({ label, icon, text, load, children }: ReadDialogButtonProps<Subject>) {
  const dialog = useReadDialog<Subject>()
  const open = () => void dialog.read(load)
  return (
    <>
      {text ? (
        <Button variant="default" loading={dialog.isReading} onClick={open}>
          {text}
        </Button>
      ) : (
        <IconButton label={label} icon={icon} loading={dialog.isReading} onClick={open} />
      )}
      <Suspense>{dialog.opened && dialog.subject && children(dialog.subject, dialog.close)}</Suspense>
    </>
  )
}
