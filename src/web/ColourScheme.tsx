import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const schemes = [
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
] as const

/** Light or dark; follows the system until somebody chooses. */
export function ColourScheme() {
  // Without this it would inject a style element for a moment.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const Current = schemes.find((scheme) => scheme.value === colorScheme)?.icon ?? IconDeviceDesktop
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label="Light or dark" title="Light or dark">
          <Current size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={value === colorScheme}
            leftSection={<Icon size={16} aria-hidden="true" />}
            rightSection={value === colorScheme ? <IconCheck size={14} aria-hidden="true" /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
