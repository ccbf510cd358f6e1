import { createTheme, localStorageColorSchemeManager } from '@mantine/core'

const transitionDefaults = { duration: 120, timingFunction: 'ease-out' }
const dialogDefaults = {
  // The page is held still by tokens.css; the library would inject a style element, which our policy forbids.
  lockScroll: false,
  centered: false,
  transitionProps: { ...transitionDefaults, transition: 'fade' },
  overlayProps: { backgroundOpacity: 0.4 },
  closeButtonProps: { 'aria-label': 'Close' },
  // The library makes a <header> of it, which a screen reader would take for a second banner of the page.
  attributes: { header: { role: 'presentation' } },
} as const

/** What the library's components take by default. Colors and measures are in tokens.css. */
export const mantineTheme = createTheme({
  fontFamily: 'var(--font)',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // What floats stands in a named section, so that a screen reader never meets it outside of every landmark.
    Portal: { defaultProps: { target: '#floating' } },
    // It begins under the top bar, over which toasts lie.
    Modal: { defaultProps: { ...dialogDefaults, yOffset: 'var(--top-bar)' } },
    Drawer: { defaultProps: dialogDefaults },
    Popover: { defaultProps: { transitionProps: transitionDefaults, shadow: 'md' } },
    Menu: { defaultProps: { transitionProps: transitionDefaults, shadow: 'md' } },
    Combobox: { defaultProps: { transitionProps: transitionDefaults, shadow: 'md' } },
    // The list itself scrolls: a scroll area around it could not be reached by keyboard.
    Select: { defaultProps: { withScrollArea: false } },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'leadline.colour-scheme' })
