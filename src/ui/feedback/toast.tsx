import { Button } from '@mantine/core'
import type { NotificationData } from '@mantine/notifications'
import arrange from '#ui/layout/arrange.module.css'
import { ApiError } from '../data/api.ts'
import { loadWhenOnline } from '../data/lazy-part.ts'
import { useOverlays } from './overlays.ts'

/** Shows a success message. With `undo` it offers the inverse call. */
export function toastSuccess(message: string, undo?: () => void) {
  const id = `said ${message} ${Date.now()}`
  const act = () => {
    hideToast(id)
    undo?.()
  }
  showToast({
    id,
    color: 'green',
    autoClose: undo ? 8000 : 4000,
    role: 'status',
    message: undo ? <ToastWithButton message={message} label="Undo" onClick={act} /> : message,
  })
}

const lastActId = 'last act'
/** Shows the last action with a way to undo it; the next one replaces it. */
export function toastLastAct(message: string, undo?: () => void) {
  showToast({
    id: lastActId,
    color: 'green',
    autoClose: undo || message.length > 50 ? 8000 : 3000, // long enough to read
    role: 'status',
    message: undo ? <ToastWithButton message={message} label="Undo" onClick={undo} /> : message,
  })
}

/** Announces something that the user did not start. */
export function toastInfo(message: string) {
  showToast({ id: `note ${message}`, message, autoClose: 8000, role: 'status' })
}

/** Shows a single toast, however often something is copied. */
export const toastCopied = () =>
  showToast({ id: 'copied', color: 'green', message: 'Copied to clipboard', autoClose: 2000, role: 'status' })

/** Shows a failure: the server's message and one line for each entry of its `errors`. */
export function toastError(problem: unknown) {
  const message = problem instanceof Error ? problem.message : 'Something went wrong'
  const lines = problem instanceof ApiError ? Object.values(problem.errors).flat() : []
  const details = lines.filter((line) => line !== message)
  // Parallel calls that fail alike share one toast.
  const id = `failure ${message}`
  // What is wrong may be another thing once a form is sent again.
  document.addEventListener('submit', () => hideToast(id), { once: true })
  showToast({
    id,
    color: 'red',
    autoClose: 10_000,
    role: 'alert',
    title: message,
    message: details.length > 0 ? <ToastLines lines={details} /> : null,
  })
}

type ProgressToast = { tell: (message: string, done?: boolean) => void; hide: () => void }

/** Shows progress with a Cancel button. `tell` updates the message; with `done` it closes on its own. */
export function toastProgress(title: string, cancel: () => void): ProgressToast {
  const id = `progress ${title} ${Date.now()}`
  const tell = (message: string, done = false) =>
    showToast({
      id,
      title,
      loading: !done,
      autoClose: done ? 4000 : false,
      withCloseButton: done,
      role: 'status',
      message: done ? message : <ToastWithButton message={message} label="Cancel" onClick={cancel} />,
    })
  tell('Preparing…')
  return { tell, hide: () => hideToast(id) }
}

function ToastWithButton({ message, label, onClick }: { message: string; label: string; onClick: () => void }) {
  return (
    <span className={arrange.ends}>
      <span>{message}</span>
      <Button variant="subtle" size="compact-sm" onClick={onClick}>
        {label}
      </Button>
    </span>
  )
}

const hideToast = (id: string) => void loadNotifications().then(({ notifications }) => notifications.hide(id))

const loadNotifications = () => loadWhenOnline(() => import('@mantine/notifications'))

function showToast(toast: NotificationData & { id: string }) {
  useOverlays.setState({ toasts: true })
  const full = { withBorder: true, ...toast, ...restartTimer(toast) }
  void loadNotifications().then(({ notifications, notificationsStore }) => {
    const shown = notificationsStore.getState().notifications.some(({ id }) => id === toast.id)
    if (shown) notifications.update(full)
    else notifications.show(full)
  })
}

let updates = 0
/** Restarts the timer of a replaced message: the library does so only where `autoClose` differs. */
const restartTimer = ({ autoClose }: NotificationData) =>
  typeof autoClose === 'number' ? { autoClose: autoClose + (++updates % 2) } : {}

function ToastLines({ lines }: { lines: string[] }) {
  return (
    <ul>
      {[...new Set(lines)].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
