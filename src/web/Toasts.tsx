import { Notifications } from '@mantine/notifications'

/** Where toasts appear. A file of its own, because the router's first screen needs none. */
export default function Toasts() {
  return <Notifications position="top-right" />
}
