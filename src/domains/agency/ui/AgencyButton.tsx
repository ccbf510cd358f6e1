import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { callApi } from '#ui/data/api.ts'
import { renameAgency } from '#ui/data/environment.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding, FieldControl } from '#ui/form/field-binding.ts'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { type Agency, agencyContract } from '../contract.ts'

const LogoInput = lazyComponent(() => import('./LogoInput.tsx').then(({ LogoInput }) => ({ default: LogoInput })))

const logoControl: FieldControl<string> = Object.assign(
  (at: FieldBinding<string>) => (
    <Suspense>
      <LogoInput at={at} />
    </Suspense>
  ),
  { isStoredApart: true as const },
)

/** A list in a text of one line each. */
const inLines =
  (area: FieldControl<string>): FieldControl<string[]> =>
  (at) =>
    area({ ...at, value: at.value?.join('\n'), set: (text) => at.set(text === null ? [] : text.split('\n')) })

const buildAgencyControls = ({ textControl, colorControl, textareaControl, wholeNumberControl }: ControlSet) => ({
  name: textControl('Name'),
  color: colorControl('Color'),
  logo: logoControl,
  address_lines: inLines(textareaControl('Address', { rows: 3, hint: 'Stands on statements, at most 6 lines.' })),
  terms_days: wholeNumberControl('Days to pay'),
  email: textControl('Reply-to email'),
})

/** Opens the form for how the agency looks on reports, emails and the rating page. */
export function AgencyButton({ label = 'Agency' }: { label?: string }) {
  const dialog = useReadDialog<Agency>()
  return (
    <>
      <Button variant="default" onClick={() => void dialog.read(() => callApi(agencyContract.read))}>
        {label}
      </Button>
      {dialog.subject && (
        <FormDialog
          title="Agency"
          call={agencyContract.update}
          start={dialog.subject}
          fields={buildAgencyControls}
          conflict={{
            read: (newer) => newer,
            shown: (name, value) =>
              value === null ? null : name === 'logo' ? 'another image' : [value].flat().join(', ') || null,
          }}
          opened={dialog.opened}
          onClose={dialog.close}
          onSaved={({ name }) => renameAgency(name)}
        />
      )}
    </>
  )
}
