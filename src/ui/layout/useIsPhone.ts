import { useMediaQuery } from '@mantine/hooks'

/** Returns whether the screen is too narrow for a table. Known at the first render; false on paper. */
export const useIsPhone = (): boolean =>
  useMediaQuery('screen and (max-width: 767.98px)', undefined, { getInitialValueInEffect: false })
