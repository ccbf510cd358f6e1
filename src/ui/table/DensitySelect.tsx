import { SmallSelect } from '../filters/SmallSelect.tsx'
import { useIsPhone } from '../layout/useIsPhone.ts'
import { rowDensities, useRowDensity } from './density.ts'

const densityLabels = { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' }
const densityChoices = rowDensities.map((value) => ({ value, label: densityLabels[value] }))

/** Selects the row height of every table; hidden on phones, which show cards. */
export function DensitySelect() {
  const [density, setDensity] = useRowDensity()
  if (useIsPhone()) return null
  return <SmallSelect label="Row height" value={density} choices={densityChoices} choose={setDensity} />
}
