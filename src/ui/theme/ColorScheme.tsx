import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { IconButton } from '../layout/ActionButton.tsx'

const colorSchemeOptions = [
  { value: 'auto', label: 'Colors follow the system', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light colors', icon: IconSun },
  { value: 'dark', label: 'Dark colors', icon: IconMoon },
] as const

/** Switches between the system's colors (the default), light and dark. */
export function ColorSchemeToggle() {
  // Without this the library would inject a style element for a moment.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const at = colorSchemeOptions.findIndex((scheme) => scheme.value === colorScheme)
  const { label, icon: Icon } = colorSchemeOptions[at] ?? colorSchemeOptions[0]
  const next = colorSchemeOptions[(at + 1) % colorSchemeOptions.length] ?? colorSchemeOptions[0]
  return <IconButton label={label} icon={Icon} iconSize={18} onClick={() => setColorScheme(next.value)} />
}
