import { Notifications } from '@mantine/notifications'
import { useIsPhone } from '../layout/useIsPhone.ts'

/**
 * Where toasts appear: over the middle of the top bar, where there is nothing to press. A phone's bar has no room for two lines, which
 * would lie on the heading: there they appear at the bottom. A file of its own, because the router's first screen needs none.
 */
export default function ToastContainer() {
  return <Notifications position={useIsPhone() ? 'bottom-center' : 'top-center'} />
}
