import { createTheme, localStorageColorSchemeManager } from '@mantine/core'
import { takeFirstMatch } from './take-first-match.ts'

const transitionDefaults = { duration: 120, timingFunction: 'ease-out' }
const dialogDefaults = {
  // tokens.css stops the page from scrolling; the library would inject a style element, which our policy forbids.
  lockScroll: false,
  centered: false,
  transitionProps: { ...transitionDefaults, transition: 'fade' },
  overlayProps: { backgroundOpacity: 0.4 },
  closeButtonProps: { 'aria-label': 'Close' },
  // The library renders a <header>, which a screen reader would take for a second banner of the page.
  attributes: { header: { role: 'presentation' } },
} as const

/** Default props of the library's components. Colors and sizes are in tokens.css. */
const chooserDefaults = { withScrollArea: false, selectFirstOptionOnChange: true, onKeyDown: takeFirstMatch }

export const mantineTheme = createTheme({
  fontFamily: 'var(--font)',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Overlays are in a named section, so that a screen reader always finds them inside a landmark.
    Portal: { defaultProps: { target: '#floating' } },
    // Starts below the top bar, where toasts appear.
    Modal: { defaultProps: { ...dialogDefaults, yOffset: 'var(--top-bar)' } },
    Drawer: { defaultProps: dialogDefaults },
    Popover: { defaultProps: { transitionProps: transitionDefaults, shadow: 'md' } },
    Menu: { defaultProps: { transitionProps: transitionDefaults, shadow: 'md' } },
    Combobox: { defaultProps: { transitionProps: transitionDefaults, shadow: 'md' } },
    // The list itself scrolls: a scroll area around it would not be reachable by keyboard.
    // Enter takes the first match, which is marked; the chosen option is not given up by choosing it again.
    Select: { defaultProps: { ...chooserDefaults, allowDeselect: false } },
    MultiSelect: { defaultProps: chooserDefaults },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'leadline.colour-scheme' })
