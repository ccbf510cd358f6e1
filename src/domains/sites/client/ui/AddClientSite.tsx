import { Button } from '@mantine/core'
import { getEmptyForm } from '#contract/field-definitions.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { clientSitesContract } from '../contract.ts'
import { clientSiteFields } from '../fields.ts'

export const buildClientSiteControls =
  (campaigns: readonly SelectChoice<number>[]) =>
  ({ buildFieldControls, textControl, selectControl, passwordControl }: ControlSet) =>
    buildFieldControls(clientSiteFields, {
      url: textControl(clientSiteFields.url.label, { placeholder: 'https://' }),
      campaign_id: selectControl(clientSiteFields.campaign_id.label, campaigns),
      callrail_signing_key: passwordControl(clientSiteFields.callrail_signing_key.label, {
        hint: 'CallRail shows it with its webhooks, which are refused without it.',
      }),
    })

/** The dialog for a new site, with its campaign filled in. */
export function AddClientSiteButton({ campaign }: { campaign: { id: number; name: string } }) {
  const dialog = useDialog()
  if (!clientSitesContract.create.allow(useCurrentUser())) return null
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Add Client Site
      </Button>
      <FormDialog
        title="Add Client Site"
        call={clientSitesContract.create}
        start={getEmptyForm(clientSiteFields, { campaign_id: campaign.id })}
        fields={buildClientSiteControls([{ value: campaign.id, label: campaign.name }])}
        opened={dialog.opened}
        onClose={dialog.close}
      />
    </>
  )
}
