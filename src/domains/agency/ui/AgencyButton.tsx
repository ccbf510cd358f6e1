import { Button } from '@mantine/core'
import { callApi } from '#ui/data/api.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { type Agency, agencyContract } from '../contract.ts'

const buildAgencyControls = ({ textControl, colorControl, textareaControl }: ControlSet) => ({
  name: textControl('Name'),
  color: colorControl('Color'),
  logo: textareaControl('Logo', {
    rows: 3,
    hint: 'The web address of an image, or the image as a data URL; leave it blank for none.',
  }),
})

/** Opens the form for how the agency looks on reports, emails and the rating page. */
export function AgencyButton() {
  const dialog = useReadDialog<Agency>()
  return (
    <>
      <Button variant="default" onClick={() => void dialog.read(() => callApi(agencyContract.read))}>
        Agency
      </Button>
      {dialog.subject && (
        <FormDialog
          title="Agency"
          call={agencyContract.update}
          start={dialog.subject}
          fields={buildAgencyControls}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
    </>
  )
}
