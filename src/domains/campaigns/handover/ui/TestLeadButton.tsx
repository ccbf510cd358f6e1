import { Button } from '@mantine/core'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { testLeadContract } from '../contract.ts'

/** Mails a made-up lead, at first to oneself: how the email looks, and whether it arrives. */
export function TestLeadButton({ campaign }: { campaign: { id: number; name: string } }) {
  const dialog = useDialog()
  const me = useCurrentUser()
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Send a test lead
      </Button>
      <FormDialog
        title={`Test lead: ${campaign.name}`}
        call={testLeadContract.send}
        params={{ id: campaign.id }}
        start={{ to: me?.email ?? '' }}
        fields={({ textControl }) => ({
          to: textControl('Email', {
            hint: 'A test is listed and counted nowhere, and the links in its email save nothing.',
          }),
        })}
        opened={dialog.opened}
        onClose={dialog.close}
        saveLabel="Send"
        success={({ message }) => message}
      />
    </>
  )
}
