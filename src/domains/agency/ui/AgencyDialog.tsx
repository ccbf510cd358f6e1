import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { colorControl, textareaControl, textControl } from '#ui/form/fields.tsx'
import { agencyContract } from '../contract.ts'

const agencyControls = {
  name: textControl('Name'),
  color: colorControl('Color'),
  logo: textareaControl('Logo', {
    rows: 3,
    hint: 'The web address of an image, or the image as a data URL; leave it blank for none.',
  }),
}

/** How the agency looks on reports, emails and the rating page. */
export function AgencyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { data: agency } = useApi(agencyContract.read, undefined, { enabled: opened })
  if (!agency) return null
  return (
    <FormDialog
      title="Agency"
      call={agencyContract.update}
      start={agency}
      fields={agencyControls}
      refreshes={[agencyContract.read]}
      opened={opened}
      onClose={onClose}
    />
  )
}
