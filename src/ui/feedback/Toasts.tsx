import { Notifications } from '@mantine/notifications'
import { useIsPhone } from '../layout/useIsPhone.ts'

/**
 * Renders toasts over the middle of the top bar, where there are no controls; on a phone at the bottom, because two lines would
 * cover the heading. A file of its own, because the first screen does not need it.
 */
export default function ToastContainer() {
  return <Notifications position={useIsPhone() ? 'bottom-center' : 'top-center'} />
}
