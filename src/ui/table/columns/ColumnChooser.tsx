import { Button } from '@mantine/core'
import { lazyComponent } from '../../data/lazy-part.ts'
import { usePerson } from '../../data/person.ts'
import { ModalDialog } from '../../layout/ModalDialog.tsx'
import { useDialog } from '../../layout/useDialog.ts'
import type { ColumnChoicesProps } from './ColumnChoices.tsx'

const ColumnChoices = lazyComponent(() => import('./ColumnChoices.tsx'))

/** Returns the columns of a view that the user has hidden, stored on the server. */
export function useHiddenColumns(
  view: string,
): [hidden: ReadonlySet<string>, save: (hidden: readonly string[]) => void] {
  const { hiddenColumns, saveHiddenColumns } = usePerson()
  return [new Set(hiddenColumns(view)), (keys) => saveHiddenColumns(view, keys)]
}

type ColumnChooserProps = Omit<ColumnChoicesProps, 'onCancel'>

/** The button 'Select Table Columns' and its dialog. */
export function ColumnChooser({ columns, hidden, onSave }: ColumnChooserProps) {
  const dialog = useDialog()
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Select Table Columns
      </Button>
      <ModalDialog opened={dialog.opened} onClose={dialog.close} title="Select Table Columns" size="lg">
        <ColumnChoices
          columns={columns}
          hidden={hidden}
          onSave={(keys) => {
            onSave(keys)
            dialog.close()
          }}
          onCancel={dialog.close}
        />
      </ModalDialog>
    </>
  )
}
