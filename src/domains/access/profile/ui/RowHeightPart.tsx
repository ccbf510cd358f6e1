import { Group, Radio } from '@mantine/core'
import { type RowDensity, rowDensities, useRowDensity } from '#ui/table/density.ts'

const labels: Record<RowDensity, string> = { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' }

/** How high the rows of every table are in this browser. Saved immediately. */
export default function RowHeightPart() {
  const [density, setDensity] = useRowDensity()
  return (
    <Radio.Group value={density} onChange={(value) => setDensity(value as RowDensity)} aria-label="Row height">
      <Group gap="lg">
        {rowDensities.map((value) => (
          <Radio key={value} value={value} label={labels[value]} />
        ))}
      </Group>
    </Radio.Group>
  )
}
