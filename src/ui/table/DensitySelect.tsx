import { SmallSelect } from '../filters/SmallSelect.tsx'
import { useIsPhone } from '../layout/useIsPhone.ts'
import { rowDensities, useRowDensity } from './density.ts'

const densityLabels = { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' }
const densityChoices = rowDensities.map((value) => ({ value, label: densityLabels[value] }))

/** How high the rows of every table are; cards are as high as what they hold. */
export function DensitySelect() {
  const [density, setDensity] = useRowDensity()
  if (useIsPhone()) return null
  return <SmallSelect label="Row height" value={density} choices={densityChoices} choose={setDensity} />
}
