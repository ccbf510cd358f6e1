import { SmallSelect } from '../filters/SmallSelect.tsx'
import { rowDensities, useRowDensity } from './density.ts'

const densityLabels = { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' }
const densityChoices = rowDensities.map((value) => ({ value, label: densityLabels[value] }))

/** How high the rows of every table are. */
export function DensitySelect() {
  const [density, setDensity] = useRowDensity()
  return <SmallSelect label="Row height" value={density} choices={densityChoices} choose={setDensity} />
}
