import { Button } from '@mantine/core'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { callApi } from '#ui/data/api.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { requiredRolesContract } from '../contract.ts'
import { roleLabels } from '../labels.ts'

/** Lets super admins choose which roles must have a second factor. */
export function RequiredRolesButton() {
  const me = useCurrentUser()
  const dialog = useReadDialog<ResponseOf<typeof requiredRolesContract.read>>()
  if (!requiredRolesContract.read.allow(me)) return null
  return (
    <>
      <Button variant="default" onClick={() => void dialog.read(() => callApi(requiredRolesContract.read))}>
        Second factor
      </Button>
      {dialog.subject && (
        <FormDialog
          title="Who must have a second factor"
          call={requiredRolesContract.save}
          start={dialog.subject}
          fields={({ toggleControl }) => ({
            super_admin: toggleControl(roleLabels.super_admin),
            admin: toggleControl(roleLabels.admin),
            leads_handler: toggleControl(roleLabels.leads_handler),
            customer: toggleControl(roleLabels.customer),
          })}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
    </>
  )
}
