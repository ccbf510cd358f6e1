import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconLineHeight } from '@tabler/icons-react'
import { densities, useDensity } from './density.ts'

const words = { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' }

/** How high the rows of every table are. */
export function DensityButton() {
  const [density, setDensity] = useDensity()
  return (
    <Menu position="top-end">
      <Menu.Target>
        <ActionIcon aria-label="Row height" title="Row height">
          <IconLineHeight size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {densities.map((choice) => (
          <Menu.Item
            key={choice}
            role="menuitemradio"
            aria-checked={choice === density}
            rightSection={choice === density ? <IconCheck size={14} aria-hidden="true" /> : null}
            onClick={() => setDensity(choice)}
          >
            {words[choice]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
