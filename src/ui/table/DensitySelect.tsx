import { SmallSelect } from '../filters/SmallSelect.tsx'
import { densities, useDensity } from './density.ts'

const words = { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' }
const choices = densities.map((value) => ({ value, label: words[value] }))

/** How high the rows of every table are. */
export function DensitySelect() {
  const [density, setDensity] = useDensity()
  return <SmallSelect label="Row height" value={density} choices={choices} choose={setDensity} />
}
