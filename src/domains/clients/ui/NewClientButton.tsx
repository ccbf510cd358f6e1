import { Button } from '@mantine/core'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { clientsContract } from '../contract.ts'
import { buildNewClientControls, newClientForm } from './EditClient.tsx'

/** Creates a client without leaving the page. */
export default function NewClientButton() {
  const dialog = useDialog()
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Create New Client
      </Button>
      <FormDialog
        title="Create New Client"
        call={clientsContract.create}
        start={newClientForm}
        fields={buildNewClientControls}
        opened={dialog.opened}
        onClose={dialog.close}
      />
    </>
  )
}
