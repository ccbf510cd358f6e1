import { Notifications } from '@mantine/notifications'

/** Where toasts appear: over the middle of the top bar, where there is nothing to press. A file of its own, because the router's first screen needs none. */
export default function ToastContainer() {
  return <Notifications position="top-center" />
}
